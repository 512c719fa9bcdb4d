package io.github.leafmint.bench;

import io.github.leafmint.IdFormat;
import io.github.leafmint.NumberParts;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.Tag;
import io.github.leafmint.ids.IdKeys;
import io.github.leafmint.ids.PublicIds;
import io.github.leafmint.ids.TypedIds;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.UUID;
import java.util.stream.LongStream;
import me.ahoo.cosid.IdGenerator;
import me.ahoo.cosid.converter.GroupedPrefixIdConverter;
import me.ahoo.cosid.converter.ToStringIdConverter;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.IdSegmentDistributorDefinition;
import me.ahoo.cosid.segment.SegmentChainId;
import me.ahoo.cosid.segment.StringSegmentId;
import me.ahoo.cosid.segment.grouped.DefaultGroupedIdSegmentDistributor;
import me.ahoo.cosid.segment.grouped.date.YearMonthDayGroupBySupplier;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Blackhole;

/** One number of a series, its text and a public id, against an id, a read of the clock and a random UUID. */
public class NumberBenchmark {
    static final String ORDER = "{year}{month}{day}-{number:9}";
    static final String INVOICE = "INV-{yy}{month}{day}-{number:6}-{check:damm}";

    private static final int BATCH = 1000;
    private static final int DIGITS = 9;
    private static final long NUMBER = 424_242;
    private static final LocalDate DAY = LocalDate.of(2026, 11, 25);

    @State(Scope.Benchmark)
    public static class Leafmint {
        final SegmentGenerator generator =
                SegmentGenerator.builder("memory:").defaultStep(1000).open();
        Tag tag;
        Series orders;

        @Setup
        public void open() {
            tag = generator.tag("bench");
            tag.nextId();
            orders = generator
                    .series("order")
                    .period(SeriesPeriod.DAY)
                    .zone(ZoneId.of("Europe/Madrid"))
                    .format(IdFormat.of(ORDER))
                    .open();
            orders.next();
        }

        @TearDown
        public void close() {
            generator.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Formats {
        final IdFormat plain = IdFormat.of("{number}");
        final IdFormat invoice = IdFormat.of(INVOICE);
        long number = NUMBER;
        LocalDate day = DAY;
    }

    @State(Scope.Benchmark)
    public static class Public {
        final PublicIds orders = PublicIds.of("order", IdKeys.of(IdKeys.generate(1)));
        final long[] ids = LongStream.range(NUMBER, NUMBER + BATCH).toArray();
        final String[] texts = orders.encodeAll(ids);
        long id = NUMBER;
        String text = orders.encode(NUMBER);
    }

    @State(Scope.Benchmark)
    public static class Typed {
        final TypedIds ids = TypedIds.of(IdKeys.of(IdKeys.generate(1)));
        final OrderId id = new OrderId(NUMBER);
        final String text = ids.text(id);
    }

    @State(Scope.Benchmark)
    public static class Grouped {
        final IdGenerator numbers = new SegmentChainId(new DefaultGroupedIdSegmentDistributor(
                new YearMonthDayGroupBySupplier("yyyyMMdd"),
                new IdSegmentDistributorDefinition("bench", "order", 0, SegmentBenchmark.STEP),
                definition -> new IdSegmentDistributor.Atomic(definition.getStep())));
        final IdGenerator texts = new StringSegmentId(
                (SegmentChainId) numbers, new GroupedPrefixIdConverter("-", new ToStringIdConverter(true, DIGITS)));
    }

    @Benchmark
    public long id(Leafmint leafmint) {
        return leafmint.tag.nextId();
    }

    @Benchmark
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Benchmark
    public long idAndClock(Leafmint leafmint, Blackhole blackhole) {
        blackhole.consume(System.currentTimeMillis());
        return leafmint.tag.nextId();
    }

    @Benchmark
    public long number(Leafmint leafmint) {
        return leafmint.orders.next().number();
    }

    @Benchmark
    public long cosidNumber(Grouped cosid) {
        return cosid.numbers.generate();
    }

    @Benchmark
    public String text(Leafmint leafmint) {
        return leafmint.orders.next().text();
    }

    @Benchmark
    public String cosidText(Grouped cosid) {
        return cosid.texts.generateAsString();
    }

    @Benchmark
    public String formatted(Formats formats) {
        return formats.plain.format(formats.number);
    }

    @Benchmark
    public String formattedInvoice(Formats formats) {
        return formats.invoice.format(NumberParts.of(formats.number).on(formats.day));
    }

    @Benchmark
    public String encoded(Public ids) {
        return ids.orders.encode(ids.id);
    }

    @Benchmark
    public long decoded(Public ids) {
        return ids.orders.decode(ids.text);
    }

    @Benchmark
    public String typedText(Typed typed) {
        return typed.ids.text(typed.id);
    }

    @Benchmark
    public OrderId typedParse(Typed typed) {
        return typed.ids.parse(OrderId.class, typed.text);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public String[] encodedBatch(Public ids) {
        return ids.orders.encodeAll(ids.ids);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] decodedBatch(Public ids) {
        return ids.orders.decodeAll(ids.texts);
    }

    @Benchmark
    public UUID randomUuid() {
        return UUID.randomUUID();
    }
}
