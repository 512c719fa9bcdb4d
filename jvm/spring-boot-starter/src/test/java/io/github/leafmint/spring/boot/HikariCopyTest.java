package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.zaxxer.hikari.HikariDataSource;
import io.github.leafmint.internal.lending.JdbcSource;
import io.github.leafmint.internal.lending.LentConnection;
import io.github.leafmint.internal.lending.Ran;
import java.net.URI;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

/** Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
@Timeout(60)
class HikariCopyTest {
    private static HikariDataSource original(boolean commitsEach) {
        URI server = URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_MYSQL"), "LEAFMINT_TEST_MYSQL"));
        String[] account = server.getUserInfo().split(":", 2);
        var original = new HikariDataSource();
        original.setJdbcUrl("jdbc:mariadb://" + server.getHost() + ":" + server.getPort() + server.getPath());
        original.setUsername(account[0]);
        original.setPassword(account.length > 1 ? account[1] : "");
        original.setAutoCommit(commitsEach);
        return original;
    }

    private static String id(LentConnection connection) {
        var rows = (Ran.Rows) connection.run(List.of("SELECT CONNECTION_ID()")).get(0);
        return rows.rows().get(0)[0];
    }

    /** Sessions are retired in this way, on any healthy system. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatWasCutIsNotLentAgainAndNoFault(boolean commitsEach) throws Exception {
        var logger = (Logger) LoggerFactory.getLogger("com.zaxxer.hikari");
        var log = new ListAppender<ILoggingEvent>();
        log.start();
        logger.addAppender(log);
        Level level = logger.getLevel();
        logger.setLevel(Level.INFO);
        LentDataSource lent = LentDataSource.of(new NamedDataSource("orders", original(commitsEach), "property"));
        var source = new JdbcSource(lent.dataSource());
        LentConnection first = source.connect();
        String cut = id(first);
        first.cut();
        first.close();
        LentConnection next = source.connect();
        String kept = id(next);
        assertThat(kept).isNotEqualTo(cut);
        next.close();
        LentConnection again = source.connect();
        assertThat(id(again)).as("what was not cut is kept").isEqualTo(kept);
        lent.destroy();
        again.cut();
        again.close();
        logger.detachAppender(log);
        logger.setLevel(level);
        assertThat(log.list)
                .anyMatch(event -> event.getFormattedMessage().startsWith("orders-leafmint - Shutdown completed"))
                .noneMatch(event -> event.getLevel().isGreaterOrEqual(Level.WARN));
    }
}
