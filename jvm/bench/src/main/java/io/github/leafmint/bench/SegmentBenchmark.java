package io.github.leafmint.bench;

import io.github.leafmint.BizTag;
import io.github.leafmint.Order;
import io.github.leafmint.SegmentGenerator;
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
 * <p>Both stores are memory, so that only the hand-out is measured. leafmint's step grows to a million at the rate of a
 * benchmark; CosId's step does not grow, so it starts with a million.
 */
@State(Scope.Benchmark)
public class SegmentBenchmark {
    private final AtomicLong counter = new AtomicLong();
    private SegmentGenerator generator;
    private BizTag tag;
    private BizTag relaxed;
    private SegmentChainId chain;

    @Setup
    public void open() {
        generator = SegmentGenerator.builder("memory:").defaultStep(1000).open();
        tag = generator.bizTag("bench");
        tag.nextId();
        relaxed = generator.bizTag("bench", Order.RELAXED);
        relaxed.nextId();
        chain = new SegmentChainId(new IdSegmentDistributor.Atomic(1_000_000));
        chain.generate();
    }

    @TearDown
    public void close() {
        generator.close();
    }

    @Benchmark
    public long atomicLong() {
        return counter.getAndIncrement();
    }

    @Benchmark
    public long leafmint() {
        return tag.nextId();
    }

    @Benchmark
    public long leafmintRelaxed() {
        return relaxed.nextId();
    }

    @Benchmark
    public long cosidSegmentChain() {
        return chain.generate();
    }
}
