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
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
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
    private final JdbcTemplate database;

    /**
     * Creates numbers in a database, without connecting to it.
     *
     * @param dataSource the data source of the transactions
     */
    public GaplessNumbers(DataSource dataSource) {
        database = new JdbcTemplate(requireNonNull(dataSource, "dataSource"));
    }

    /**
     * Returns the next number of a series. The first one is 1.
     *
     * @param series the name of the series, 1 to 128 characters
     * @return the number
     * @throws InvalidArgumentException if there is no transaction, or if the name or the database cannot be used
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
     * @throws InvalidArgumentException if there is no transaction, or if the name, the first number or the database
     *     cannot be used
     * @throws io.github.leafmint.InvalidConfigException if the table is missing or cannot be used
     * @throws io.github.leafmint.IdSpaceExhaustedException if the series has no next number
     * @throws ConcurrencyFailureException if another transaction was in the way: repeat this one as a whole
     * @throws DataAccessException if the server failed in another way
     */
    public long next(String series, long start) {
        requireNonNull(series, "series");
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw new InvalidArgumentException(
                    "no number of a series: a number without gaps is taken in a transaction, and"
                            + " none is active: call it from a @Transactional method");
        }
        try {
            ConnectionCallback<Long> next = connection -> Gapless.next(connection, series, start);
            return requireNonNull(database.execute(next));
        } catch (StoreUnavailableException failure) {
            throw translated(failure);
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
        return translated == null ? failure : translated;
    }
}
