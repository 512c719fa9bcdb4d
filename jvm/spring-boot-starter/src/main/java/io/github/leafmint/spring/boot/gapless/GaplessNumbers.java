package io.github.leafmint.spring.boot.gapless;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.SeriesNumber;
import io.github.leafmint.StoreUnavailableException;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.CannotAcquireLockException;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.SimpleConnectionHandle;
import org.springframework.transaction.IllegalTransactionStateException;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Takes numbers without gaps in the current transaction of Spring: a number is given back if it rolls back.
 *
 * <p>See {@link GaplessSequence} for the table and the cost, and {@link ReactiveGaplessNumbers} for R2DBC. A method
 * throws
 *
 * <ul>
 *   <li>{@link InvalidArgumentException} if there is no transaction of the data source to take a number in, if it is
 *       read-only, or if the database is of another product,
 *   <li>{@link io.github.leafmint.InvalidConfigException} if the table is missing or cannot be used,
 *   <li>{@link io.github.leafmint.IdSpaceExhaustedException} if there is no next number, or it does not fit the format,
 *   <li>{@link ConcurrencyFailureException} if another transaction was in the way: repeat this one as a whole,
 *   <li>{@link DataAccessException} if the server failed in another way.
 * </ul>
 *
 * <pre>{@code
 * @Transactional
 * public Invoice bill(Order order) {
 *     Invoice invoice = repository.save(new Invoice(order));
 *     invoice.setNumber(numbers.next(invoices).text());
 *     return invoice;
 * }
 * }</pre>
 */
public final class GaplessNumbers {
    private static final TransactionDefinition EXISTING =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_MANDATORY);

    private final JdbcTemplate database;
    private final PlatformTransactionManager manager;

    /**
     * Creates numbers in a database, without connecting to it. They take part in the transactions that a manager of
     * this data source has begun: one of JDBC, JPA or Hibernate.
     *
     * @param dataSource the data source of the transactions
     */
    public GaplessNumbers(DataSource dataSource) {
        this(dataSource, new DataSourceTransactionManager(dataSource));
    }

    /**
     * Creates numbers in a database whose transactions a manager has that binds no connection, such as one of JTA. The
     * data source must take part in its transactions by itself, as one of XA does.
     *
     * @param dataSource the data source of the transactions
     * @param manager the manager that begins them
     */
    public GaplessNumbers(DataSource dataSource, PlatformTransactionManager manager) {
        this.database = new JdbcTemplate(requireNonNull(dataSource, "dataSource"));
        // Managers of one resource bind its connection, which says more than that some transaction of theirs is active.
        this.manager = requireNonNull(manager, "manager") instanceof ResourceTransactionManager
                ? new DataSourceTransactionManager(dataSource)
                : manager;
    }

    /**
     * Returns the next number of the present period.
     *
     * @param sequence the sequence
     * @return the number
     */
    public SeriesNumber next(GaplessSequence sequence) {
        requireNonNull(sequence, "sequence");
        return inTransaction(sequence::next);
    }

    /**
     * Returns the next number of the period that a date lies in.
     *
     * @param sequence the sequence
     * @param on the date, of the years 1 to 9999
     * @return the number
     */
    public SeriesNumber next(GaplessSequence sequence, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(on, "on");
        return inTransaction(connection -> sequence.next(connection, on));
    }

    /**
     * Returns consecutive numbers of the present period.
     *
     * @param sequence the sequence
     * @param count 0 to 2<sup>26</sup>
     * @return the numbers, in a list that cannot be changed
     */
    public List<SeriesNumber> nextMany(GaplessSequence sequence, long count) {
        requireNonNull(sequence, "sequence");
        return inTransaction(connection -> sequence.nextMany(connection, count));
    }

    /**
     * Returns consecutive numbers of the period that a date lies in.
     *
     * @param sequence the sequence
     * @param count 0 to 2<sup>26</sup>
     * @param on the date, of the years 1 to 9999
     * @return the numbers, in a list that cannot be changed
     */
    public List<SeriesNumber> nextMany(GaplessSequence sequence, long count, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(on, "on");
        return inTransaction(connection -> sequence.nextMany(connection, count, on));
    }

    /**
     * Returns the last number of the present period as the current transaction sees it; there need be none. It locks
     * nothing.
     *
     * @param sequence the sequence
     * @return the number; empty if the period has none
     */
    public Optional<SeriesNumber> last(GaplessSequence sequence) {
        requireNonNull(sequence, "sequence");
        return run(sequence::last);
    }

    /**
     * Returns the last number of the period that a date lies in, as the current transaction sees it.
     *
     * @param sequence the sequence
     * @param on the date, of the years 1 to 9999
     * @return the number; empty if the period has none
     */
    public Optional<SeriesNumber> last(GaplessSequence sequence, LocalDate on) {
        requireNonNull(sequence, "sequence");
        requireNonNull(on, "on");
        return run(connection -> sequence.last(connection, on));
    }

    private <T> T inTransaction(ConnectionCallback<T> take) {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw refused("none is active: call it from a @Transactional method");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw refused("the active one is read-only: call it from a @Transactional method without readOnly");
        }
        if (!isInTransactionOfDataSource()) {
            throw refused("the active one is not of this data source, so that it would not give the number back: name"
                    + " the transaction manager of the data source in @Transactional, or, if its transactions are those"
                    + " of JTA or of a manager of your own, make a bean new GaplessNumbers(dataSource, manager)");
        }
        return run(take);
    }

    private <T> T run(ConnectionCallback<T> call) {
        try {
            return requireNonNull(database.execute(call));
        } catch (StoreUnavailableException failure) {
            throw translated(failure);
        }
    }

    static InvalidArgumentException refused(String why) {
        return new InvalidArgumentException(
                "no number of a sequence: a number without gaps is taken in a transaction, and " + why);
    }

    /**
     * Returns whether a transaction manager has begun a transaction of the data source. A connection that is only bound
     * to the transaction of another data source would be rolled back, or commit, by itself.
     */
    private boolean isInTransactionOfDataSource() {
        if (manager instanceof DataSourceTransactionManager own
                && TransactionSynchronizationManager.getResource(own.getResourceFactory())
                        instanceof ConnectionHolder holder
                && !(holder.getConnectionHandle() instanceof SimpleConnectionHandle)) {
            // Only the managers of JPA and Hibernate bind a connection that their session owns.
            return true;
        }
        try {
            // This joins a transaction that there is, which leaves nothing to end.
            manager.getTransaction(EXISTING);
            return true;
        } catch (IllegalTransactionStateException none) {
            return false;
        }
    }

    /** Returns what Spring's translator makes of the driver's exception, since retries of applications know that. */
    private RuntimeException translated(StoreUnavailableException failure) {
        if (!(failure.getCause() instanceof SQLException cause)) {
            return failure;
        }
        String message = requireNonNull(failure.getMessage());
        DataAccessException translated = database.getExceptionTranslator().translate(message, null, cause);
        // The translator knows the SQLSTATE of a deadlock, but not of MySQL's wait for a lock.
        if ("locked".equals(failure.reason()) && !(translated instanceof ConcurrencyFailureException)) {
            return new CannotAcquireLockException(message, cause);
        }
        return translated == null ? new UncategorizedSQLException(message, null, cause) : translated;
    }
}
