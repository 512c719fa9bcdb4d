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
 * One snowflake, beside one look at the clock.
 *
 * <p>A layout with 12 sequence bits is used up after 4096 ids per millisecond, whoever mints them: then all that is
 * measured is the wait for the next one. So who can gets 20 sequence bits, which nobody uses up here. Hutool's layout
 * is fixed, and so is the part of a TSID that counts, 22 bits less the node's: it has a node of 2 bits and counts on in
 * the next millisecond by itself.
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
        // Its default is a secure random; a plain one is its fastest.
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
