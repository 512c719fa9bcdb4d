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

/**
 * leafmint's generator of snowflakes and its peers', each in the best configuration that we know, with 22 bits for
 * worker and sequence.
 */
final class Snowflakes {
    static final int LOW_BITS = 22;
    private static final long EPOCH = 1_577_203_200_000L;

    private Snowflakes() {}

    /** leafmint over a directory of its own, which is deleted at the end. */
    static final class Leafmint implements AutoCloseable {
        private final Path directory = Files.createTempDirectory("leafmint-bench");
        final SnowflakeGenerator generator;

        Leafmint(int sequenceBits) throws IOException {
            generator = SnowflakeGenerator.builder("local:" + directory)
                    .layout(layout(sequenceBits))
                    .open();
            generator.nextId();
        }

        @Override
        public void close() throws IOException {
            generator.close();
            try (Stream<Path> files = Files.walk(directory)) {
                files.sorted(Comparator.reverseOrder())
                        .forEach(file -> file.toFile().delete());
            }
        }
    }

    static String layout(int sequenceBits) {
        return "timestamp:41,worker:" + (LOW_BITS - sequenceBits) + ",sequence:" + sequenceBits;
    }

    static MillisecondSnowflakeId cosid(int sequenceBits) {
        return new MillisecondSnowflakeId(EPOCH, 41, LOW_BITS - sequenceBits, sequenceBits, 1);
    }

    /** Its layout is fixed: 12 bits of sequence. */
    static Snowflake hutool() {
        return new Snowflake(1, 1);
    }

    static TsidFactory tsid(int sequenceBits) {
        // The defaults are a secure random generator and java.time.Clock; these are the fastest.
        var random = new SplittableRandom(1);
        return TsidFactory.builder()
                .withNodeBits(LOW_BITS - sequenceBits)
                .withNode(1)
                .withRandomFunction(() -> random.nextInt())
                .withTimeFunction(System::currentTimeMillis)
                .build();
    }
}
