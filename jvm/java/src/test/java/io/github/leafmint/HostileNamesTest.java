package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

class HostileNamesTest {
    private static final String SECRET = "s3ntinel";
    private static final String HOSTILE = "a\r\n2026 ERROR forged\u001b[2J\u009bb\u007f\u202e\u2028c";

    private final TreeSet<String> codes = new TreeSet<>();
    private final List<String> texts = new ArrayList<>();

    @TempDir
    Path directory;

    private void refused(Executable call) {
        var failure = assertThrows(LeafmintException.class, call);
        codes.add(failure.code());
        texts.add(failure.getMessage());
        texts.add(failure.toString());
    }

    private void segments() {
        String url = "sqlite:///" + directory.resolve("ids.db");
        refused(() -> SegmentGenerator.builder(url).option(HOSTILE, SECRET).open());
        try (var ids =
                SegmentGenerator.builder(url).defaultStep(10).autoCreate(false).open()) {
            refused(() -> ids.tag(HOSTILE.repeat(20)));
            refused(() -> ids.tag("x".repeat(10 << 20)));
            refused(() -> ids.tag(HOSTILE).nextId());
            var series = ids.series(HOSTILE).period(SeriesPeriod.FOREVER);
            refused(() -> series.open().next());
            refused(() -> ids.series(HOSTILE + "/").period(SeriesPeriod.FOREVER).open());
            refused(() -> ids.series("order")
                    .key(HOSTILE)
                    .period(SeriesPeriod.FOREVER)
                    .open());
            texts.add(series.open().toString());
            texts.add(ids + "" + ids.tag(HOSTILE) + ids.scope());
            ids.close();
            refused(() -> ids.tag("order"));
        }
        var unreachable = SegmentGenerator.builder("mysql://127.0.0.1:1/db")
                .username(HOSTILE)
                .password(SECRET);
        texts.add(unreachable.toString());
        try (var away = unreachable
                .connectTimeout(Duration.ofMillis(200))
                .timeout(Duration.ofMillis(300))
                .open()) {
            refused(() -> away.tag(HOSTILE).nextId());
            refused(() -> away.createTag(HOSTILE).step(1).create());
            away.stats().tags().values().forEach(tag -> texts.add(String.valueOf(tag.lastError())));
            texts.add(away + "" + away.tag(HOSTILE));
        }
    }

    private SnowflakeGeneratorBuilder local(String namespace) {
        var builder = SnowflakeGenerator.builder("local:" + directory.resolve(HOSTILE))
                .endpoint(HOSTILE)
                .workers("0");
        return builder.namespace(namespace).timeout(Duration.ofSeconds(1));
    }

    private void snowflakes() throws Exception {
        Files.createDirectory(directory.resolve(HOSTILE));
        try (var first = local("one").open();
                var second = local("one").open()) {
            first.nextId(Duration.ofSeconds(10));
            refused(() -> first.decode(-1));
            refused(second::nextId);
            texts.add(first + "" + second + second.stats() + second.scope());
        }
        try (var early = local("early")
                .epoch(Instant.parse("2100-01-01T00:00:00Z"))
                .layout("timestamp:40,worker:10,sequence:12")
                .open()) {
            refused(early::nextId);
        }
        try (var late =
                local("late").layout("timestamp:20,worker:10,sequence:12").open()) {
            refused(() -> late.nextId(Duration.ofSeconds(10)));
        }
        try (var hours = local("hours")
                .layout("timestamp:20,worker:10,sequence:4,unit:1h")
                .open()) {
            hours.nextId(Duration.ofSeconds(10));
            refused(() -> {
                for (int round = 0; round < 100; round++) {
                    hours.nextId();
                }
            });
        }
    }

    /**
     * Two codes are missing because they need a restored store and a lost lease. Their messages come from the core,
     * whose own test causes them.
     */
    @Test
    void noTextOfAnErrorOrAGeneratorShowsASecretOrAControlCharacter() throws Exception {
        segments();
        snowflakes();
        var expected = new TreeSet<String>();
        Vectors.read("errors.json")
                .getAsJsonArray()
                .forEach(kind -> expected.add(kind.getAsJsonObject().get("code").getAsString()));
        expected.removeAll(List.of("store_regressed", "lease_lost"));
        assertEquals(expected, codes);
        for (String text : texts) {
            assertFalse(text.contains(SECRET), text);
            assertTrue(
                    text.codePoints()
                            .noneMatch(point -> Character.isISOControl(point) || point == 0x202e || point == 0x2028),
                    text);
            assertTrue(text.length() < 6000, () -> text.length() + " characters");
        }
    }
}
