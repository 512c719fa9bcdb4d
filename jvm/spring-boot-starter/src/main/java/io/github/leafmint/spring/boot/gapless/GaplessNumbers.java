package io.github.leafmint.spring.boot.gapless;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.Gapless;
import io.github.leafmint.InvalidArgumentException;
import io.github.leafmint.StoreUnavailableException;
import java.sql.SQLException;
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
 * <p>See {@link Gapless} for the table and the cost.
 *
 * <pre>{@code
 * @Transactional
 * public Invoice bill(Order order) {
 *     Invoice invoice = invoices.save(new Invoice(order));
 *     invoice.setNumber(numbers.next("invoice-2026"));
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
     * Returns the next number of a series. The first one is 1.
     *
     * @param series the name of the series, 1 to 128 characters
     * @return the number
     * @throws InvalidArgumentException if there is no transaction of the data source, if it is read-only, or if the
     *     name or the database cannot be used
     * @throws io.github.leafmint.InvalidConfigException if the table is missing or cannot be used
     * @throws io.github.leafmint.IdSpaceExhaustedException if the series has no next number
     * @throws ConcurrencyFailureException if another transaction was in the way: repeat this one as a whole
     * @throws DataAccessException if the server failed in another way
     */
    public long next(String series) {
        return next(series, 1);
    }

    /**
     * Returns the next number of a series, or its first one.
     *
     * @param series the name of the series, 1 to 128 characters
     * @param start the first number of a series that has none
     * @return the number
     * @throws InvalidArgumentException if there is no transaction of the data source, if it is read-only, or if the
     *     name, the first number or the database cannot be used
     * @throws io.github.leafmint.InvalidConfigException if the table is missing or cannot be used
     * @throws io.github.leafmint.IdSpaceExhaustedException if the series has no next number
     * @throws ConcurrencyFailureException if another transaction was in the way: repeat this one as a whole
     * @throws DataAccessException if the server failed in another way
     */
    public long next(String series, long start) {
        requireNonNull(series, "series");
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
        try {
            ConnectionCallback<Long> next = connection -> Gapless.next(connection, series, start);
            return requireNonNull(database.execute(next));
        } catch (StoreUnavailableException failure) {
            throw translated(failure);
        }
    }

    private static InvalidArgumentException refused(String why) {
        return new InvalidArgumentException(
                "no number of a series: a number without gaps is taken in a transaction, and " + why);
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
