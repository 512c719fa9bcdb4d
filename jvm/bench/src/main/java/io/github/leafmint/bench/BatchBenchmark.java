package io.github.leafmint.bench;

import io.github.leafmint.LongRange;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Tag;
import java.util.concurrent.atomic.AtomicLong;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Batches of ids, measured per id, against a counter that is incremented for each. */
@State(Scope.Benchmark)
public class BatchBenchmark {
    static final int BATCH = 1000;

    private final AtomicLong counter = new AtomicLong();
    private final long[] into = new long[BATCH];
    private SegmentGenerator generator;
    private Tag tag;

    @Setup
    public void open() {
        generator = SegmentGenerator.builder("memory:").defaultStep(1000).open();
        tag = generator.tag("bench");
        tag.nextId();
    }

    @TearDown
    public void close() {
        generator.close();
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] atomicLong() {
        for (int at = 0; at < BATCH; at++) {
            into[at] = counter.getAndIncrement();
        }
        return into;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] leafmintIntoArray() {
        tag.nextIds(into);
        return into;
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long[] leafmintNewArray() {
        return tag.nextIds(BATCH);
    }

    @Benchmark
    @OperationsPerInvocation(BATCH)
    public LongRange leafmintRange() {
        return tag.nextRange(BATCH);
    }
}
