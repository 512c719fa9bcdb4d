package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.ids.IdKeys;
import io.github.leafmint.ids.PublicIds;
import io.github.leafmint.sharding.ShardRule;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Each public call that gives out ids, or makes as much as its caller chooses, passes the same judges. */
@Timeout(300)
class EntrancesTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final LocalDate DAY = LocalDate.of(2020, 2, 29);
    private static final Instant PAST = Instant.ofEpochMilli(1_700_000_000_000L);
    private static final String KEY = "lmk0_00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";

    /** What the rows call. */
    record Opened(Tag tag, Tag genes, Series series, SnowflakeGenerator flakes) {}

    /** The rows: how each entrance is called for a number of ids. */
    static Map<String, BiFunction<Opened, Integer, Object>> entrances() {
        var rows = new LinkedHashMap<String, BiFunction<Opened, Integer, Object>>();
        rows.put("Tag.nextId()", (of, n) -> of.tag.nextId());
        rows.put("Tag.nextId(Duration)", (of, n) -> of.tag.nextId(LONG));
        rows.put("Tag.nextIdWithGene(long)", (of, n) -> of.genes.nextIdWithGene(3));
        rows.put("Tag.nextIdWithGene(long,Duration)", (of, n) -> of.genes.nextIdWithGene(3, LONG));
        rows.put("Tag.tryNextId()", (of, n) -> of.tag.tryNextId());
        rows.put("Tag.nextIds(long)", (of, n) -> of.tag.nextIds(n));
        rows.put("Tag.nextIds(long,Duration)", (of, n) -> of.tag.nextIds(n, LONG));
        rows.put("Tag.nextIds(long[])", (of, n) -> {
            of.tag.nextIds(new long[n]);
            return n;
        });
        rows.put("Tag.nextIds(long[],int,int)", (of, n) -> {
            of.tag.nextIds(new long[n], 0, n);
            return n;
        });
        rows.put("Tag.nextRange(long)", (of, n) -> of.tag.nextRange(n));
        rows.put("Tag.nextRange(long,Duration)", (of, n) -> of.tag.nextRange(n, LONG));
        rows.put("Tag.nextRangeAsync(long)", (of, n) -> of.tag.nextRangeAsync(n));
        rows.put("Tag.nextRangeAsync(long,Duration)", (of, n) -> of.tag.nextRangeAsync(n, LONG));
        rows.put("Tag.nextIdAsync()", (of, n) -> of.tag.nextIdAsync());
        rows.put("Tag.nextIdAsync(Duration)", (of, n) -> of.tag.nextIdAsync(LONG));
        rows.put("Tag.nextIdWithGeneAsync(long)", (of, n) -> of.genes.nextIdWithGeneAsync(3));
        rows.put("Tag.nextIdWithGeneAsync(long,Duration)", (of, n) -> of.genes.nextIdWithGeneAsync(3, LONG));
        rows.put("Tag.nextIdsAsync(long)", (of, n) -> of.tag.nextIdsAsync(n));
        rows.put("Tag.nextIdsAsync(long,Duration)", (of, n) -> of.tag.nextIdsAsync(n, LONG));
        rows.put("Tag.getAsLong()", (of, n) -> of.tag.getAsLong());
        rows.put("Series.next()", (of, n) -> of.series.next());
        rows.put("Series.next(Duration)", (of, n) -> of.series.next(LONG));
        rows.put("Series.next(LocalDate)", (of, n) -> of.series.next(DAY));
        rows.put("Series.next(LocalDate,Duration)", (of, n) -> of.series.next(DAY, LONG));
        rows.put("Series.nextMany(long)", (of, n) -> of.series.nextMany(n));
        rows.put("Series.nextMany(long,Duration)", (of, n) -> of.series.nextMany(n, LONG));
        rows.put("Series.nextMany(long,LocalDate)", (of, n) -> of.series.nextMany(n, DAY));
        rows.put("Series.nextMany(long,LocalDate,Duration)", (of, n) -> of.series.nextMany(n, DAY, LONG));
        rows.put("Series.nextAsync()", (of, n) -> of.series.nextAsync());
        rows.put("Series.nextAsync(Duration)", (of, n) -> of.series.nextAsync(LONG));
        rows.put("Series.nextAsync(LocalDate)", (of, n) -> of.series.nextAsync(DAY));
        rows.put("Series.nextAsync(LocalDate,Duration)", (of, n) -> of.series.nextAsync(DAY, LONG));
        rows.put("Series.nextManyAsync(long)", (of, n) -> of.series.nextManyAsync(n));
        rows.put("Series.nextManyAsync(long,Duration)", (of, n) -> of.series.nextManyAsync(n, LONG));
        rows.put("Series.nextManyAsync(long,LocalDate)", (of, n) -> of.series.nextManyAsync(n, DAY));
        rows.put("Series.nextManyAsync(long,LocalDate,Duration)", (of, n) -> of.series.nextManyAsync(n, DAY, LONG));
        rows.put("SnowflakeGenerator.nextId()", (of, n) -> of.flakes.nextId());
        rows.put("SnowflakeGenerator.nextId(Duration)", (of, n) -> of.flakes.nextId(LONG));
        rows.put("SnowflakeGenerator.nextIdWithGene(long)", (of, n) -> of.flakes.nextIdWithGene(3));
        rows.put("SnowflakeGenerator.nextIdWithGene(long,Duration)", (of, n) -> of.flakes.nextIdWithGene(3, LONG));
        rows.put("SnowflakeGenerator.tryNextId()", (of, n) -> of.flakes.tryNextId());
        rows.put("SnowflakeGenerator.nextIds(long)", (of, n) -> of.flakes.nextIds(n));
        rows.put("SnowflakeGenerator.nextIds(long,Duration)", (of, n) -> of.flakes.nextIds(n, LONG));
        rows.put("SnowflakeGenerator.nextIdAsync()", (of, n) -> of.flakes.nextIdAsync());
        rows.put("SnowflakeGenerator.nextIdAsync(Duration)", (of, n) -> of.flakes.nextIdAsync(LONG));
        rows.put("SnowflakeGenerator.nextIdWithGeneAsync(long)", (of, n) -> of.flakes.nextIdWithGeneAsync(3));
        rows.put(
                "SnowflakeGenerator.nextIdWithGeneAsync(long,Duration)",
                (of, n) -> of.flakes.nextIdWithGeneAsync(3, LONG));
        rows.put("SnowflakeGenerator.nextIdsAsync(long)", (of, n) -> of.flakes.nextIdsAsync(n));
        rows.put("SnowflakeGenerator.nextIdsAsync(long,Duration)", (of, n) -> of.flakes.nextIdsAsync(n, LONG));
        rows.put("SnowflakeGenerator.getAsLong()", (of, n) -> of.flakes.getAsLong());
        rows.put("SnowflakeGenerator.backfill(Instant)", (of, n) -> of.flakes.backfill(PAST));
        rows.put("SnowflakeGenerator.backfillWithGene(Instant,long)", (of, n) -> of.flakes.backfillWithGene(PAST, 3));
        rows.put("SnowflakeGenerator.backfill(long[])", (of, n) -> of.flakes.backfill(moments(n)));
        rows.put("SnowflakeGenerator.backfillAsync(Instant)", (of, n) -> of.flakes.backfillAsync(PAST));
        rows.put(
                "SnowflakeGenerator.backfillWithGeneAsync(Instant,long)",
                (of, n) -> of.flakes.backfillWithGeneAsync(PAST, 3));
        rows.put("SnowflakeGenerator.backfillAsync(long[])", (of, n) -> of.flakes.backfillAsync(moments(n)));
        rows.put("ShardRule.mint(LongSupplier,String)", (of, n) -> rule().mint(of.tag, "user-42"));
        rows.put("ShardRule.mint(LongSupplier,long)", (of, n) -> rule().mint(of.tag, 42));
        return rows;
    }

    private static ShardRule rule() {
        return ShardRule.of("10", 64);
    }

    private static long[] moments(int count) {
        long[] moments = new long[count];
        Arrays.setAll(moments, at -> PAST.toEpochMilli() - at);
        return moments;
    }

    private static Opened opened(SegmentGenerator ids, SnowflakeGenerator flakes) {
        Series series = ids.series("invoice")
                .period(SeriesPeriod.YEAR)
                .zone(ZoneId.of("UTC"))
                .open();
        return new Opened(ids.tag("order"), ids.tag("user", new TagOptions().geneBits(4)), series, flakes);
    }

    private static SnowflakeGenerator flakes(String url) {
        return SnowflakeGenerator.builder(url)
                .layout("timestamp:41,worker:5,sequence:13,gene:4")
                .timeout(LONG)
                .open();
    }

    /** Returns the answer of an entrance, also of a future. */
    private static Object answer(BiFunction<Opened, Integer, Object> entrance, Opened of, int count) {
        Object answer = entrance.apply(of, count);
        try {
            return answer instanceof CompletableFuture<?> future ? future.join() : answer;
        } catch (CompletionException failed) {
            if (failed.getCause() instanceof LeafmintException failure) {
                throw failure;
            }
            if (failed.getCause() instanceof Error error) {
                throw error;
            }
            throw failed;
        }
    }

    @Test
    void eachPublicCallThatGivesOutIdsHasARow() {
        Stream<Method> methods = Stream.of(Tag.class, Series.class, SnowflakeGenerator.class, ShardRule.class)
                .flatMap(type -> Arrays.stream(type.getDeclaredMethods()));
        var surface = methods.filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isSynthetic())
                .filter(method -> method.getName().matches("(tryN|n)ext.*|backfill.*|mint|getAsLong"))
                .map(EntrancesTest::name)
                .collect(Collectors.toSet());
        assertEquals(surface, entrances().keySet());
    }

    private static String name(Method method) {
        return Arrays.stream(method.getParameterTypes())
                .map(Class::getSimpleName)
                .collect(Collectors.joining(
                        ",", method.getDeclaringClass().getSimpleName() + "." + method.getName() + "(", ")"));
    }

    @Test
    void eachEntranceOfAClosedGeneratorIsClosed(@TempDir Path directory) {
        var ids = SegmentGenerator.open("memory:");
        SnowflakeGenerator flakes = flakes("local:" + directory);
        Opened of = opened(ids, flakes);
        entrances().values().forEach(entrance -> answer(entrance, of, 2));
        ids.close();
        flakes.close();
        entrances()
                .forEach((name, entrance) -> assertThrows(ClosedException.class, () -> answer(entrance, of, 2), name));
    }

    /** Calls each long entrance with more ids than the heap, or the address space, has room for. */
    static final class RunsOutOfMemory {
        public static void main(String[] arguments) {
            int count = Integer.parseInt(arguments[1]);
            try (var ids = SegmentGenerator.open("memory:");
                    SnowflakeGenerator flakes = flakes("local:" + arguments[0])) {
                Opened of = opened(ids, flakes);
                entrances().forEach((name, entrance) -> {
                    if (name.matches(".*(nextIds|nextMany|backfill).*\\(long.*")) {
                        System.out.println("> " + name + ": " + outcome(entrance, of, count));
                    }
                });
                System.out.println("> " + of.tag.nextId() + " " + (of.flakes.nextId() > 0));
            }
        }

        private static String outcome(BiFunction<Opened, Integer, Object> entrance, Opened of, int count) {
            try {
                answer(entrance, of, 2);
                answer(entrance, of, count);
                return "answered";
            } catch (OutOfMemoryError noMemory) {
                return "no memory";
            }
        }
    }

    @Test
    void anAnswerWithoutMemoryIsAnOutOfMemoryErrorAndTakesNothing(@TempDir Path directory) throws Exception {
        var java = JavaProcess.run(List.of("-Xmx24m"), RunsOutOfMemory.class, directory.toString(), "" + (1 << 23));
        List<String> lines =
                java.output().lines().filter(line -> line.startsWith("> ")).toList();
        assertEquals(0, java.status(), java.output());
        assertEquals(21, lines.size(), java.output());
        // Two ids for each entrance of the tag, six of which were long.
        assertEquals("> 13 true", lines.get(20));
        assertTrue(lines.stream().limit(20).allMatch(line -> line.endsWith(": no memory")), java.output());
    }

    @Test
    void aColumnWithoutMemoryIsAnOutOfMemoryError() throws Exception {
        var java = JavaProcess.run(List.of("-Xmx400m"), ColumnInLittleSpace.class);
        assertEquals(0, java.status(), java.output());
        assertTrue(java.output().contains("> done"), java.output());
    }

    /** Writes and reads a column of public ids, however little memory there is. */
    static final class ColumnInLittleSpace {
        public static void main(String[] arguments) {
            PublicIds ids = PublicIds.of("order", IdKeys.of(KEY));
            for (int count = 1 << 10; count <= 1 << 24; count <<= 2) {
                try {
                    assertEquals(count, ids.decodeAll(ids.encodeAll(new long[count])).length);
                } catch (OutOfMemoryError noMemory) {
                    break;
                }
            }
            System.out.println("> done");
        }
    }
}
