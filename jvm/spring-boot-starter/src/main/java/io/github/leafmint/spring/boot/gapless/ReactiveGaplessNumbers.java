package io.github.leafmint.spring.boot.gapless;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.R2dbcGapless;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.StoreUnavailableException;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import java.time.LocalDate;
import java.util.List;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.r2dbc.connection.ConnectionFactoryUtils;
import org.springframework.r2dbc.connection.R2dbcTransactionManager;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import reactor.core.publisher.Mono;

/**
 * Takes numbers without gaps in the current reactive transaction of Spring: a number is given back if it rolls back.
 *
 * <p>See {@link GaplessSequence} for the table and the cost, and {@link GaplessNumbers} for JDBC. Each subscription
 * takes numbers of its own and blocks no thread. It fails with
 *
 * <ul>
 *   <li>{@link InvalidArgumentException} if there is no transaction of the connection factory to take a number in, if
 *       it is read-only, or if the database is of another product than MySQL, MariaDB and PostgreSQL,
 *   <li>{@link io.github.leafmint.InvalidConfigException} if the table is missing or cannot be used,
 *   <li>{@link io.github.leafmint.IdSpaceExhaustedException} if there is no next number, or it does not fit the format,
 *   <li>{@link ConcurrencyFailureException} if another transaction was in the way: repeat this one as a whole,
 *   <li>{@link DataAccessException} if the server failed in another way.
 * </ul>
 *
 * <pre>{@code
 * @Transactional
 * public Mono<Invoice> bill(Order order) {
 *     return numbers.next(invoices).map(number -> new Invoice(order, number.text())).flatMap(template::insert);
 * }
 * }</pre>
 */
public final class ReactiveGaplessNumbers {
    private static final TransactionDefinition EXISTING =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY);

    private final ConnectionFactory connections;
    private final R2dbcTransactionManager manager;

    /**
     * Creates numbers in a database, without connecting to it.
     *
     * @param connectionFactory the connection factory of the transactions
     */
    public ReactiveGaplessNumbers(ConnectionFactory connectionFactory) {
        connections = requireNonNull(connectionFactory, "connectionFactory");
        manager = new R2dbcTransactionManager(connectionFactory);
    }

    /**
     * Returns the next number of the present period.
     *
     * @param sequence the sequence
     * @return the number
     */
    public Mono<SeriesNumber> next(GaplessSequence sequence) {
        requireNonNull(sequence, "sequence");
        return inTransaction(connection -> R2dbcGapless.next(sequence, connection));
    }

    /**
     * Returns the next number of the period that a date lies in.
     *
     * @param sequence the sequence
     * @param on the date, of the years 1 to 9999
     * @return the number
     */
    public Mono<SeriesNumber> next(GaplessSequence sequence, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(on, "on");
        return inTransaction(connection -> R2dbcGapless.next(sequence, connection, on));
    }

    /**
     * Returns consecutive numbers of the present period.
     *
     * @param sequence the sequence
     * @param count 0 to 2<sup>26</sup>
     * @return the numbers, in a list that cannot be changed
     */
    public Mono<List<SeriesNumber>> nextMany(GaplessSequence sequence, long count) {
        requireNonNull(sequence, "sequence");
        return inTransaction(connection -> R2dbcGapless.nextMany(sequence, connection, count));
    }

    /**
     * Returns consecutive numbers of the period that a date lies in.
     *
     * @param sequence the sequence
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @return the numbers, in a list that cannot be changed
     */
    public Mono<List<SeriesNumber>> nextMany(GaplessSequence sequence, long count, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(on, "on");
        return inTransaction(connection -> R2dbcGapless.nextMany(sequence, connection, count, on));
    }

    /**
     * Returns the last number of the present period as the current transaction sees it; there need be none. It locks
     * nothing.
     *
     * @param sequence the sequence
     * @return the number; empty if the period has none
     */
    public Mono<SeriesNumber> last(GaplessSequence sequence) {
        requireNonNull(sequence, "sequence");
        return run(connection -> R2dbcGapless.last(sequence, connection));
    }

    /**
     * Returns the last number of the period that a date lies in, as the current transaction sees it.
     *
     * @param sequence the sequence
     * @param on the date, of the years 1 to 9999
     * @return the number; empty if the period has none
     */
    public Mono<SeriesNumber> last(GaplessSequence sequence, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(on, "on");
        return run(connection -> R2dbcGapless.last(sequence, connection, on));
    }

    private <T> Mono<T> inTransaction(Function<Connection, Publisher<T>> take) {
        return TransactionSynchronizationManager.forCurrentTransaction()
                .onErrorMap(NoTransactionException.class, none -> refusedWithout())
                .flatMap(this::existing)
                .then(run(take));
    }

    private <T> Mono<T> run(Function<Connection, Publisher<T>> call) {
        return Mono.usingWhen(
                        ConnectionFactoryUtils.getConnection(connections),
                        connection -> Mono.from(call.apply(connection)),
                        this::released)
                .onErrorMap(StoreUnavailableException.class, ReactiveGaplessNumbers::translated);
    }

    /** Closes a connection unless a transaction has it, which closes it at its end. */
    private Mono<Void> released(Connection connection) {
        return ConnectionFactoryUtils.currentConnectionFactory(connections)
                .then()
                .onErrorResume(NoTransactionException.class, none -> Mono.from(connection.close()));
    }

    /** Refuses a transaction that cannot give a number back. */
    private Mono<Void> existing(TransactionSynchronizationManager current) {
        if (!current.isActualTransactionActive()) {
            return Mono.error(refusedWithout());
        }
        if (current.isCurrentTransactionReadOnly()) {
            return Mono.error(GaplessNumbers.refused(
                    "the active one is read-only: call it from a @Transactional method without readOnly"));
        }
        // This joins a transaction that there is, which leaves nothing to end. A connection that is only bound to the
        // transaction of another factory would be rolled back, or commit, by itself.
        return manager.getReactiveTransaction(EXISTING)
                .onErrorMap(IllegalTransactionStateException.class, none -> ofAnother())
                .then();
    }

    private static InvalidArgumentException ofAnother() {
        return GaplessNumbers.refused("the active one is not of this connection factory, so that it would not give the"
                + " number back: name the transaction manager of the connection factory in @Transactional");
    }

    private static InvalidArgumentException refusedWithout() {
        return GaplessNumbers.refused("none is active: call it from a @Transactional method");
    }

    /** Returns what Spring's translator makes of the driver's exception, since retries of applications know that. */
    private static RuntimeException translated(StoreUnavailableException failure) {
        if (!(failure.getCause() instanceof R2dbcException cause)) {
            return failure;
        }
        String message = requireNonNull(failure.getMessage());
        DataAccessException translated = ConnectionFactoryUtils.convertR2dbcException(message, null, cause);
        return "locked".equals(failure.reason()) && !(translated instanceof ConcurrencyFailureException)
                ? new CannotAcquireLockException(message, cause)
                : translated;
    }
}
