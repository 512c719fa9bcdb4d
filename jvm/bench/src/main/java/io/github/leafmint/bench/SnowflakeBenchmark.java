package io.github.leafmint.bench;

import cn.hutool.core.lang.Snowflake;
import com.github.f4b6a3.tsid.TsidFactory;
import io.github.leafmint.SnowflakeGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One snowflake, against one read of the clock.
 *
 * <p>A layout with 12 sequence bits has 4096 ids per millisecond. A faster generator only waits for the next
 * millisecond, and the benchmark would measure that wait. So the layouts have 20 sequence bits where they can be
 * configured, which no generator uses up here. Hutool's layout is fixed. A TSID has 22 bits for node and counter, here
 * 2 for the node, and its counter continues into the next millisecond.
 */
@State(Scope.Benchmark)
public class SnowflakeBenchmark {
    static final String LAYOUT = "timestamp:41,worker:2,sequence:20";

    private Path directory;
    private SnowflakeGenerator flakes;
    private MillisecondSnowflakeId cosid;
    private Snowflake hutool;
    private TsidFactory tsid;

    @Setup
    public void open() throws IOException {
        directory = Files.createTempDirectory("leafmint-bench");
        flakes = SnowflakeGenerator.builder("local:///" + directory)
                .layout(LAYOUT)
                .open();
        flakes.nextId();
        cosid = new MillisecondSnowflakeId(1_577_203_200_000L, 41, 2, 20, 1);
        hutool = new Snowflake(1, 1);
        // The default is a secure random generator; this one is the fastest.
        var random = new SplittableRandom(1);
        tsid = TsidFactory.builder()
                .withNodeBits(2)
                .withNode(1)
                .withRandomFunction(() -> random.nextInt())
                .build();
    }

    @TearDown
    public void close() throws IOException {
        flakes.close();
        try (Stream<Path> files = Files.walk(directory)) {
            files.sorted(Comparator.reverseOrder())
                    .forEach(file -> file.toFile().delete());
        }
    }

    @Benchmark
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    @Benchmark
    public long leafmint() {
        return flakes.nextId();
    }

    @Benchmark
    public long cosidSnowflake() {
        return cosid.generate();
    }

    @Benchmark
    public long hutoolSnowflake() {
        return hutool.nextId();
    }

    @Benchmark
    public long tsidCreator() {
        return tsid.create().toLong();
    }
}
