package sample;

import io.github.leafmint.*;
import io.github.leafmint.audit.*;
import io.github.leafmint.ids.*;
import io.github.leafmint.sharding.*;
import io.github.leafmint.status.*;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.LongStream;
import javax.sql.DataSource;
import org.jspecify.annotations.NullMarked;
import org.jspecify.annotations.Nullable;

/** What an application does with leafmint. */
@NullMarked
final class Sample {
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final ZoneId TOKYO = ZoneId.of("Asia/Tokyo");

    private Sample() {}

    @SuppressWarnings("serial")
    @IdForm(prefix = "order", tag = "order")
    static final class OrderId extends TypedId {
        OrderId(long value) {
            super(value);
        }
    }

    @SuppressWarnings("serial")
    @IdForm(form = IdForm.Form.SCRAMBLED, name = "member", format = "M-{number:8}-{check:damm}", keyNumber = 0)
    static final class MemberId extends TypedId {
        MemberId(long value) {
            super(value);
        }
    }

    static SegmentGenerator segments(String url, @Nullable String password) {
        SegmentGeneratorBuilder builder =
                SegmentGenerator.builder(url).autoCreate(true).eagerTags("order", "invoice");
        builder.credentials(() -> new Credentials("shop", password == null ? "" : password));
        builder.timeout(SECOND)
                .outageBudget(Duration.ofMinutes(10))
                .maxStep(100_000)
                .option("table", "leaf_alloc");
        return builder.sslMode(SslMode.REQUIRED)
                .sequenceOptimizer(SequenceOptimizer.POOLED_LO)
                .open();
    }

    static SnowflakeGenerator snowflakes(String url, @Nullable Instant epoch) {
        SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(url)
                .workers("0-63")
                .workerMode(WorkerMode.LEASE)
                .workerMap(Map.of("a", 1L))
                .clock(SnowflakeClock.SYSTEM)
                .clockRollback(ClockRollback.WAIT)
                .leaseDuration(Duration.ofSeconds(30));
        return (epoch == null ? builder : builder.epoch(epoch)).open();
    }

    static SnowflakeGenerator inVirtualTime(VirtualClock clock) {
        clock.advance(SECOND);
        clock.set(clock.instant().plusMillis(clock.millis()));
        return SnowflakeGenerator.builder(clock, 7).layout("compact").open();
    }

    static List<Long> mint(Tag order, IdSource any) {
        var ids = new ArrayList<Long>(List.of(order.nextId(), any.nextId(SECOND), any.nextIdWithGene(3)));
        OptionalLong tried = order.tryNextId();
        tried.ifPresent(ids::add);
        LongStream.concat(Arrays.stream(any.nextIds(2)), order.nextRange(3).stream())
                .forEach(ids::add);
        order.nextIds(new long[10], 0, 5);
        LongStream.generate(order).limit(2).forEach(ids::add);
        return ids;
    }

    static CompletableFuture<Long> mintLater(Tag order, SnowflakeGenerator flakes, Instant past) {
        return order.nextIdAsync(SECOND)
                .thenCombine(order.nextIdsAsync(2), (one, two) -> one + two.length)
                .thenCombine(order.nextRangeAsync(2), (sum, range) -> sum + range.size())
                .thenCombine(flakes.backfillAsync(past), Long::sum);
    }

    static String explain(Layout layout, long id) {
        DecodedId parts = layout.decode(id);
        LongRange day = layout.idRange(parts.timestamp(), parts.timestamp().plus(Duration.ofDays(1)));
        long other = layout.compose(parts.timestamp()).workerId(7).sequence(42).id();
        return parts.workerId() + " " + day.start() + " " + day.end() + " " + other + " " + layout.runsOut();
    }

    static String orElseToday(IdFormat invoices, String text) {
        NumberParts parts = invoices.parseForgiving(text);
        @Nullable LocalDate date = parts.date();
        return invoices.format(parts.on(date == null ? LocalDate.now(TOKYO) : date)
                .withKey("shop-7")
                .withShard(5));
    }

    static CompletableFuture<List<String>> invoices(SegmentGenerator ids) {
        Series invoices = ids.series("invoice")
                .period(SeriesPeriod.DAY)
                .zone(TOKYO)
                .key("shop-7")
                .format(IdFormat.of("INV-{yy}{month}{day}-{number:6}-{check:damm}"))
                .open();
        SeriesNumber first = invoices.next(LocalDate.of(2026, 11, 25), SECOND);
        String group = first.key() == null ? first.group() : first.key();
        return invoices.nextManyAsync(2)
                .thenApply(many -> List.of(group, first.text(), many.get(0).text()));
    }

    static List<@Nullable String> gapless(DataSource database) throws java.sql.SQLException {
        GaplessSequence bills = GaplessSequence.named("bill")
                .period(SeriesPeriod.DAY)
                .zone(TOKYO)
                .key("shop-7")
                .format(IdFormat.of("{key}/{year}{month}{day}-{number:6}"))
                .start(1000)
                .clock(Clock.systemUTC())
                .build();
        LocalDate day = LocalDate.of(2026, 11, 25);
        try (Connection connection = database.getConnection()) {
            SeriesNumber first = bills.next(connection);
            List<SeriesNumber> many = bills.nextMany(connection, 3, day);
            Optional<SeriesNumber> last = bills.last(connection, day).or(() -> bills.last(connection));
            String text = bills.next(connection, day).text()
                    + bills.nextMany(connection, 2).get(1);
            return Arrays.asList(
                    text,
                    first.key(),
                    many.get(0).text(),
                    last.map(SeriesNumber::text).orElse(null));
        }
    }

    static String declared(GaplessSequence bills) {
        ZoneId zone = bills.zone();
        IdFormat format = bills.format();
        String key = bills.key();
        String rule = bills.name() + bills.period() + bills.start();
        return rule + (zone == null ? "" : zone.getId()) + (format == null ? "" : format.text()) + key;
    }

    static List<String> typedIds(SegmentGenerator ids, SnowflakeGenerator flakes, Path secret) {
        TypedIds texts =
                TypedIds.of(() -> IdKeys.fromFile(secret)).mintingTags(ids::tag).mintingSnowflakes(() -> flakes);
        TypedIds.setDefault(texts);
        OrderId order = texts.parse(OrderId.class, texts.text(TypedId.next(OrderId.class)));
        boolean first = order.compareTo(TypedId.of(MemberId.class, 7)) < 0 && order.value() == 1;
        return List.of(order.toString(), texts.pattern(OrderId.class), texts.example(MemberId.class), "" + first);
    }

    static List<String> publicIds(long[] ids) {
        IdKeys keys = IdKeys.of(IdKeys.generate(1));
        PublicIds orders = PublicIds.of("order", keys, "o");
        ScrambledNumbers members = ScrambledNumbers.of("member", keys, IdFormat.of("{number:8}{check:damm}"));
        long member = members.decodeForgiving(members.encode(orders.decode(orders.encode(7))));
        return List.of(orders.encodeAll(ids)[0], members.encode(member), members.pattern());
    }

    static List<String> places(Layout layout, long id, String user) {
        ShardedId sharded = ShardRule.of("10", 1024, ShardStrategy.CRC32).compose(id, 5);
        var names = new ArrayList<String>(PeriodTables.names("orders_{year}", layout.epoch(), Instant.now(), TOKYO));
        names.add("db" + Genes.geneOfId(Genes.withGene(id, Genes.geneOfKey(user, 4), 4), 4));
        names.add(sharded.text() + " in " + sharded.table());
        return names;
    }

    static CompletableFuture<Long> operate(SegmentGenerator ids, SnowflakeGenerator flakes) {
        ids.initSchema();
        if (ids.createTag("order")
                .step(100)
                .geneBits(4)
                .description("since 2026")
                .create()) {
            ids.setTag("order").step(200).apply();
        }
        ids.onTag(name -> System.out.println("first use of " + name));
        SegmentCheck found = ids.check();
        SnowflakeCheck of = flakes.check();
        boolean slow = found.roundTrip().compareTo(SECOND) > 0 || of.freeWorkers() == 0;
        @Nullable Duration skew = of.clockSkew();
        for (WorkerInfo worker : flakes.listWorkers()) {
            @Nullable Instant horizon = worker.horizon();
            boolean past = horizon != null && horizon.isBefore(Instant.now());
            flakes.releaseWorker(worker.workerId(), past && slow && skew != null);
        }
        List<@Nullable String> problems =
                ids.listTags().stream().<@Nullable String>map(TagInfo::problem).toList();
        List<SeriesPeriod> periods =
                ids.listSeries().stream().map(SeriesInfo::period).toList();
        List<String> rows = ids.listGapless().stream().map(Sample::row).toList();
        return ids.raiseTagAboveAsync("order", 5000)
                .thenApply(raised -> raised + problems.size() + periods.size() + rows.size());
    }

    private static String row(GaplessInfo row) {
        @Nullable Long last = row.number();
        @Nullable String problem = row.problem();
        String label = row.key() == null ? row.name() : row.name() + "/" + row.key();
        return label + row.period() + row.group() + (last == null ? 0L : last) + (problem == null ? "" : problem);
    }

    static Duration shortest(SegmentGenerator ids, SnowflakeGenerator flakes) {
        SegmentStats segments = ids.stats();
        SnowflakeStats stats = flakes.stats();
        Duration least = stats.horizon() == null ? Duration.ZERO : stats.horizon();
        for (TagStats tag : segments.tags().values()) {
            @Nullable Duration supply = tag.supply();
            least = supply != null && supply.compareTo(least) < 0 ? supply : least;
        }
        String worker = stats.workerId() == null ? "none" : stats.workerId().toString();
        System.out.println(worker + " is ahead by " + stats.clockLead() + ": " + stats.lastError());
        return least;
    }

    static List<String> runningOut(DataSource database, @Nullable AuditReport earlier, Duration soon) {
        Audit audit =
                Audit.of(database).tables("shop_*").ignore("*:rounded_in_json").tag("orders", "order");
        AuditReport report =
                earlier == null ? audit.run() : audit.since(earlier).run();
        var wrong = new ArrayList<String>();
        for (AuditFinding it : report.findings()) {
            if (it.severity() == Severity.PROBLEM && it.kind() != FindingKind.CLOCK_AHEAD) {
                wrong.add(it.table() + "." + it.column() + ": " + it.text());
            }
        }
        for (KeyUse key : report.keys()) {
            @Nullable Duration left = key.timeLeft();
            if (left != null && left.compareTo(soon) < 0) {
                wrong.add(key.table() + ": " + key.used() + " of " + key.largest());
            }
        }
        return wrong;
    }

    static String mintOrSayWhy(IdSource ids) {
        try {
            return Long.toString(ids.nextId());
        } catch (SegmentUnavailableException | WorkerIdUnavailableException error) {
            return error.retryable() ? "try again: " + error.code() : error.toString();
        } catch (InvalidConfigException error) {
            String reason = error.reason();
            return error.options() + (reason == null ? "" : reason.strip());
        } catch (LeafmintException error) {
            return error.serverCode() == null ? error.code() : error.code() + " " + error.serverCode();
        }
    }

    /**
     * Uses it all.
     *
     * @param arguments the store, the holder and the file of the keys
     */
    public static void main(String[] arguments) {
        try (SegmentGenerator ids = segments(arguments[0], System.getenv("PASSWORD"));
                SnowflakeGenerator flakes = snowflakes(arguments[1], null);
                SnowflakeGenerator still = inVirtualTime(VirtualClock.at(Instant.EPOCH))) {
            Tag order = ids.tag("order", new TagOptions().geneBits(4).order(IdOrder.RELAXED));
            System.out.println(mint(order, flakes) + mintOrSayWhy(still) + shortest(ids, flakes));
            System.out.println(explain(flakes.layout(), flakes.nextId()) + places(flakes.layout(), 42, "user-42"));
            System.out.println(typedIds(ids, flakes, Path.of(arguments[2])) + "" + publicIds(order.nextIds(2)));
            CompletableFuture<?> last = mintLater(order, flakes, Instant.now().minus(Duration.ofDays(1)));
            CompletableFuture.allOf(last, invoices(ids), operate(ids, flakes)).join();
            System.out.println(Leafmint.segmentOptions().get(0).name() + Leafmint.schemaSql("mysql"));
        }
    }
}
