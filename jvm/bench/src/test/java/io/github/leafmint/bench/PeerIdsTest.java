package io.github.leafmint.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.baomidou.mybatisplus.core.toolkit.Sequence;
import com.github.f4b6a3.tsid.TsidCreator;
import com.github.f4b6a3.tsid.TsidFactory;
import io.github.leafmint.DecodedId;
import io.github.leafmint.Layout;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import me.ahoo.cosid.segment.DefaultSegmentId;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What docs/coming-from.md says of its peers' layouts: with an earlier epoch, leafmint's ids are above all of theirs,
 * and the way back repeats none.
 */
class PeerIdsTest {
    private static final Instant COSID = Instant.parse("2019-12-24T16:00:00Z");
    private static final Instant TSID = Instant.parse("2020-01-01T00:00:00Z");
    private static final Instant MYBATIS_PLUS = Instant.ofEpochMilli(1_288_834_974_657L);
    private static final Instant BEFORE_MYBATIS_PLUS = Instant.parse("2000-01-01T00:00:00Z");

    @TempDir
    Path workers;

    @Test
    void cosIdReachesTheDefaultEpochAfterNineYears() {
        long first = first(Layout.of("leaf").epoch());
        assertMeetsAfter(9.1, first, COSID, at -> new CosIdAt(7, at)::generate);
    }

    @Test
    void tsidCreatorReachesTheDefaultEpochAfterNineYears() {
        long first = first(Layout.of("leaf").epoch());
        assertMeetsAfter(9.1, first, TSID, at -> {
            var factory = TsidFactory.builder().withNode(7).withTimeFunction(at).build();
            return () -> factory.create().toLong();
        });
        assertTrue(LongStream.generate(() -> TsidCreator.getTsid().toLong())
                        .limit(10_000)
                        .max()
                        .orElseThrow()
                < first);
    }

    @Test
    void myBatisPlusReachesAnEarlierEpochAfterTenYears() {
        assertMeetsAfter(10.8, first(BEFORE_MYBATIS_PLUS), MYBATIS_PLUS, at -> new SequenceAt(7, at)::nextId);
    }

    @Test
    void cosIdGoesOnAfterLeafmintAndIsFollowedByItAgain() {
        assertThereAndBackTwice(Layout.of("leaf").epoch(), clock -> new CosIdAt(7, clock)::generate);
    }

    @Test
    void tsidCreatorGoesOnAfterLeafmintAndIsFollowedByItAgain() {
        assertThereAndBackTwice(Layout.of("leaf").epoch(), clock -> {
            var factory =
                    TsidFactory.builder().withNode(7).withTimeFunction(clock).build();
            return () -> factory.create().toLong();
        });
    }

    /** See <a href="https://github.com/f4b6a3/tsid-creator/issues/34">a question</a> about another factory. */
    @Test
    void tsidCreatorWithOtherBitsForNodesStaysBelow() {
        long first = first(Layout.of("leaf").epoch());
        for (int bits : new int[] {0, 8, 10, 20}) {
            var factory = TsidFactory.builder().withNodeBits(bits).build();
            assertTrue(LongStream.generate(() -> factory.create().toLong())
                            .limit(10_000)
                            .max()
                            .orElseThrow()
                    < first);
        }
    }

    @Test
    void myBatisPlusGoesOnAfterLeafmintAndIsFollowedByItAgain() {
        assertThereAndBackTwice(BEFORE_MYBATIS_PLUS, clock -> new SequenceAt(7, clock)::nextId);
    }

    @Test
    void aRowThatCosIdCountsInIsRaisedOverATag() {
        var row = new AtomicLong();
        var old = new DefaultSegmentId(new CountingRow(row));
        var taken = new TreeSet<Long>();
        LongStream.generate(old::generate).limit(250).forEach(taken::add);
        long last = row.getAndAdd(1_000_000_000);
        try (var ids = SegmentGenerator.open("memory://" + workers)) {
            ids.createTag("orders").step(100).start(last + 1).create();
            var orders = ids.tag("orders");
            LongStream.generate(orders::nextId).limit(1000).forEach(taken::add);
        }
        LongStream.generate(old::generate).limit(250).forEach(taken::add);
        assertEquals(1500, taken.size(), "an id came twice");
        assertTrue(taken.last() > 1_000_000_000);
    }

    @Test
    void cosIdsRowIsRaisedOverATagThatWentOnAlone() {
        var row = new AtomicLong();
        var taken = new TreeSet<Long>();
        LongStream.generate(new DefaultSegmentId(new CountingRow(row))::generate)
                .limit(250)
                .forEach(taken::add);
        try (var ids = SegmentGenerator.open("memory://alone" + workers)) {
            ids.createTag("orders").step(100).start(row.get() + 1).create();
            var orders = ids.tag("orders");
            LongStream.generate(orders::nextId).limit(1000).forEach(taken::add);
            row.set(ids.listTags().get(0).maxId() + 1_000_000_000);
            LongStream.generate(orders::nextId).limit(1000).forEach(taken::add);
            LongStream.generate(new DefaultSegmentId(new CountingRow(row))::generate)
                    .limit(250)
                    .forEach(taken::add);
            LongStream.generate(orders::nextId).limit(1000).forEach(taken::add);
        }
        assertEquals(3500, taken.size(), "an id came twice");
    }

    /** A row as CosId's table has one: each lease adds a step to it. */
    private record CountingRow(AtomicLong lastMaxId) implements IdSegmentDistributor {
        @Override
        public String getNamespace() {
            return "shop";
        }

        @Override
        public String getName() {
            return "orders";
        }

        @Override
        public long getStep() {
            return 100;
        }

        @Override
        public long nextMaxId(long step) {
            return lastMaxId.addAndGet(step);
        }
    }

    /**
     * Deploys the peer, leafmint, the peer again, and leafmint again, and checks that no id comes twice.
     *
     * <p>A process of the peer that starts again in the millisecond of its last id may repeat it by itself, so that
     * millisecond has to pass.
     */
    private void assertThereAndBackTwice(Instant epoch, Peer peer) {
        var ofThePeer = new TreeSet<Long>();
        var ofLeafmint = new TreeSet<Long>();
        for (int turn = 1; turn <= 2; turn++) {
            LongStream.generate(peer.at(System::currentTimeMillis))
                    .limit(10_000)
                    .forEach(ofThePeer::add);
            try (var ids =
                    SnowflakeGenerator.builder("local:" + workers).epoch(epoch).open()) {
                LongStream.generate(ids::nextId).limit(10_000).forEach(ofLeafmint::add);
            }
            assertEquals(10_000 * turn, ofThePeer.size());
            assertEquals(10_000 * turn, ofLeafmint.size());
            assertTrue(ofThePeer.last() < ofLeafmint.first(), "the years between are gone");
            long end = System.currentTimeMillis();
            while (System.currentTimeMillis() <= end) {
                Thread.onSpinWait();
            }
        }
    }

    /** Returns an id of leafmint's with this epoch. */
    private long first(Instant epoch) {
        try (var ids =
                SnowflakeGenerator.builder("local:" + workers).epoch(epoch).open()) {
            return ids.nextId();
        }
    }

    /**
     * Checks the peer's layout by its own ids, and that its clock has to be years ahead to reach leafmint's first id.
     */
    private static void assertMeetsAfter(double years, long first, Instant epoch, Peer peer) {
        Layout layout = Layout.of("leaf", epoch);
        Instant now = Instant.now();
        DecodedId decoded = layout.decode(peer.at(now::toEpochMilli).getAsLong());
        assertEquals(now.toEpochMilli(), decoded.timestamp().toEpochMilli(), 1, "another epoch, or other bits");
        assertEquals(7, decoded.workerId());

        Instant meeting = layout.decode(first).timestamp();
        assertTrue(Duration.between(now, meeting).toDays() > years * 365, () -> "they meet at " + meeting);
        assertTrue(peer.at(meeting.minusMillis(100)::toEpochMilli).getAsLong() < first);
        assertTrue(peer.at(meeting.plusMillis(100)::toEpochMilli).getAsLong() > first);
    }

    /** A generator with a clock of ours, and the worker id 7. */
    private interface Peer {
        LongSupplier at(LongSupplier clock);
    }

    private static final class CosIdAt extends MillisecondSnowflakeId {
        private final LongSupplier clock;

        CosIdAt(int machine, LongSupplier clock) {
            super(machine);
            this.clock = clock;
        }

        @Override
        protected long getCurrentTime() {
            return clock.getAsLong();
        }
    }

    private static final class SequenceAt extends Sequence {
        private final LongSupplier clock;

        SequenceAt(int worker, LongSupplier clock) {
            super(worker, 0);
            this.clock = clock;
        }

        @Override
        protected long timeGen() {
            return clock.getAsLong();
        }
    }
}
