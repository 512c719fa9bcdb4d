package io.github.leafmint.bench;

import io.github.leafmint.IdOrder;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.TagOptions;
import java.util.concurrent.atomic.AtomicLong;
import me.ahoo.cosid.segment.IdSegmentDistributor;
import me.ahoo.cosid.segment.SegmentChainId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One id of segment mode, against a plain counter.
 *
 * <p>All stores are memory, so that only the hand-out is measured. leafmint's step grows to a million at the rate of a
 * benchmark; the peers' steps do not grow, so they start with a million.
 */
public class SegmentBenchmark {
    static final int STEP = 1_000_000;

    @State(Scope.Benchmark)
    public static class Counter {
        final AtomicLong value = new AtomicLong();
    }

    @State(Scope.Benchmark)
    public static class Leafmint {
        final SegmentGenerator generator =
                SegmentGenerator.builder("memory:").defaultStep(1000).open();
        Tag strict;
        Tag relaxed;

        @Setup
        public void open() {
            strict = generator.tag("bench");
            strict.nextId();
            relaxed = generator.tag("bench", new TagOptions().order(IdOrder.RELAXED));
            relaxed.nextId();
        }

        @TearDown
        public void close() {
            generator.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Chain {
        final SegmentChainId ids = new SegmentChainId(new IdSegmentDistributor.Atomic(STEP));
    }

    @State(Scope.Benchmark)
    public static class Locked {
        final ReadWriteLockSegments ids = new ReadWriteLockSegments(STEP);

        @TearDown
        public void close() {
            ids.close();
        }
    }

    @Benchmark
    public long atomicLong(Counter counter) {
        return counter.value.getAndIncrement();
    }

    @Benchmark
    public long leafmint(Leafmint leafmint) {
        return leafmint.strict.nextId();
    }

    @Benchmark
    public long leafmintRelaxed(Leafmint leafmint) {
        return leafmint.relaxed.nextId();
    }

    @Benchmark
    public long cosid(Chain chain) {
        return chain.ids.generate();
    }

    @Benchmark
    public long locked(Locked locked) {
        return locked.ids.nextId();
    }
}
