package io.github.leafmint.spring.boot;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.leafmint.internal.lending.JdbcSource;
import io.github.leafmint.internal.lending.LentConnection;
import io.github.leafmint.internal.lending.Ran;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.apache.tomcat.jdbc.pool.DataSource;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Needs a server: LEAFMINT_TEST_MYSQL is its URL. */
@Timeout(60)
class TomcatCopyTest {
    private static DataSource original(boolean commitsEach) {
        URI server = URI.create(Objects.requireNonNull(System.getenv("LEAFMINT_TEST_MYSQL"), "LEAFMINT_TEST_MYSQL"));
        String[] account = server.getUserInfo().split(":", 2);
        var original = new DataSource();
        original.setDriverClassName("org.mariadb.jdbc.Driver");
        original.setUrl("jdbc:mariadb://" + server.getHost() + ":" + server.getPort() + server.getPath());
        original.setUsername(account[0]);
        original.setPassword(account.length > 1 ? account[1] : "");
        original.setDefaultAutoCommit(commitsEach);
        return original;
    }

    private static String id(LentConnection connection) {
        Ran ran = connection.run(List.of("SELECT CONNECTION_ID()")).get(0);
        assertThat(ran).isInstanceOf(Ran.Rows.class);
        return ((Ran.Rows) ran).rows().get(0)[0];
    }

    /** Sessions are retired in this way, on any healthy system. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aConnectionThatWasCutIsNotLentAgainAndNoFault(boolean commitsEach) throws Exception {
        var log = new Records();
        Logger logger = Logger.getLogger("org.apache.tomcat.jdbc");
        logger.addHandler(log);
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
        logger.removeHandler(log);
        assertThat(log.warnings).isEmpty();
    }

    private static final class Records extends Handler {
        final List<String> warnings = new ArrayList<>();

        @Override
        public void publish(LogRecord logged) {
            if (logged.getLevel().intValue() >= Level.WARNING.intValue()) {
                warnings.add(logged.getMessage());
            }
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
