package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class PasswordTest {
    private static final String SENTINEL = "s3ntinel";

    private static void assertHidden(String text) {
        assertFalse(text.contains(SENTINEL), text);
    }

    private static void assertHidden(Throwable failure) {
        var trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertHidden(trace.toString());
    }

    @Test
    void noMessageOfAnOpenContainsThePassword() {
        for (String url : List.of(
                "mysql://u:s3ntinel@h/db?nonsense=1",
                "mysql://u:s3ntinel@h:x/db",
                "mysql:u:s3ntinel@h",
                "mysql://u:s3ntinel/db",
                "mysql://u:%s3ntinel@h/db",
                "mysql://u:x/s3ntinel@h/db",
                "mysql://u:x?s3ntinel@h/db",
                "mysql://u:x#s3ntinel@h/db",
                "mysql://h/db?password=x&s3ntinel",
                "mysql://h/db?pasword=s3ntinel",
                "jdbc:nothing://u:s3ntinel@h/db?password=s3ntinel")) {
            assertHidden(assertThrows(InvalidConfigException.class, () -> SegmentGenerator.open(url), url));
            assertHidden(assertThrows(InvalidConfigException.class, () -> SnowflakeGenerator.open(url), url));
        }
        var builder =
                SegmentGenerator.builder("mysql://h/db").password(SENTINEL).maxStep(-1);
        assertHidden(builder.toString());
        assertHidden(assertThrows(InvalidConfigException.class, builder::open));
    }

    @Test
    void noTextOfAGeneratorContainsThePassword() throws Exception {
        try (var server = new SilentServer();
                var ids = SegmentGenerator.builder(server.url())
                        .connectTimeout(Duration.ofMillis(50))
                        .open()) {
            Tag order = ids.tag("order");
            assertHidden(assertThrows(SegmentUnavailableException.class, () -> order.nextId(Duration.ofMillis(200))));
            assertHidden(assertThrows(StoreUnavailableException.class, ids::initSchema));
            assertHidden(ids.toString() + order + ids.scope() + ids.stats());
        }
    }

    @Test
    void noTextOfAGeneratorThroughADriverContainsThePassword() {
        for (String url : List.of(
                "jdbc:mysql://u:s3ntinel@127.0.0.1:1/db?useSSL=false",
                "jdbc:mysql://address=(host=127.0.0.1)(port=1)(user=u)(password=s3ntinel)/db",
                "jdbc:mariadb://127.0.0.1:1/db?user=u&password=s3ntinel",
                "jdbc:postgresql://127.0.0.1:1/db?user=u&password=s3ntinel",
                "jdbc:h2:tcp://127.0.0.1:1/db;USER=u;PASSWORD=s3ntinel")) {
            try (var ids = SegmentGenerator.builder(url).password(SENTINEL).open()) {
                Tag order = ids.tag("order");
                assertHidden(assertThrows(LeafmintException.class, () -> order.nextId(Duration.ofSeconds(5))));
                assertHidden(ids.toString() + order + ids.scope() + ids.stats());
                assertTrue(ids.scope().contains("127.0.0.1"), ids::scope);
            }
        }
    }

    @Test
    void noTextOfASnowflakeGeneratorContainsThePassword() throws Exception {
        try (var server = new SilentServer();
                var flakes = SnowflakeGenerator.builder(server.url())
                        .connectTimeout(Duration.ofMillis(50))
                        .open()) {
            do {
                assertHidden(assertThrows(LeafmintException.class, () -> flakes.nextId(Duration.ofMillis(50))));
            } while (flakes.stats().lastError() == null);
            assertHidden(assertThrows(StoreUnavailableException.class, () -> flakes.nextId(Duration.ofMillis(200))));
            assertHidden(flakes.toString() + flakes.scope() + flakes.stats());
        }
    }
}
