package io.github.leafmint.bench;

import com.github.f4b6a3.tsid.TsidFactory;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import java.io.IOException;
import me.ahoo.cosid.snowflake.MillisecondSnowflakeId;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * One snowflake, against one read of the clock.
 *
 * <p>A layout with 12 sequence bits has 4096 ids per millisecond. A faster generator only waits for the next
 * millisecond, and the benchmark would measure that wait. So the layouts have 20 sequence bits, which no generator uses
 * up here. A TSID's counter continues into the next millisecond. Hutool's layout is fixed at 12 bits: see {@link Cap}.
 */
public class SnowflakeBenchmark {
    static final int SEQUENCE_BITS = 20;

    @State(Scope.Benchmark)
    public static class Leafmint {
        final Snowflakes.Leafmint ids;

        public Leafmint() {
            try {
                ids = new Snowflakes.Leafmint(SEQUENCE_BITS);
            } catch (IOException unexpected) {
                throw new IllegalStateException(unexpected);
            }
        }

        @TearDown
        public void close() throws IOException {
            ids.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Format {
        final long handle;

        public Format() {
            NativeLibrary.require();
            handle = Native.formatOf("{number:6}");
        }
    }

    @State(Scope.Benchmark)
    public static class Cosid {
        final MillisecondSnowflakeId ids = Snowflakes.cosid(SEQUENCE_BITS);
    }

    @State(Scope.Benchmark)
    public static class Tsid {
        final TsidFactory ids = Snowflakes.tsid(SEQUENCE_BITS);
    }

    @State(Scope.Benchmark)
    public static class Cached {
        final CachedUids ids = new CachedUids(CachedUids.SEQUENCE_BITS, CachedUids.BOOST_POWER);

        @TearDown
        public void close() throws Exception {
            ids.close();
        }
    }

    @State(Scope.Benchmark)
    public static class Synchronized {
        final SynchronizedSnowflakes ids =
                new SynchronizedSnowflakes(Snowflakes.LOW_BITS - SEQUENCE_BITS, SEQUENCE_BITS);
    }

    @Benchmark
    public long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    /** Calls a native method that returns what the library keeps. */
    @Benchmark
    public long nativeCall(Format format) {
        return Native.formatLargest(format.handle);
    }

    @Benchmark
    public long leafmint(Leafmint leafmint) {
        return leafmint.ids.generator.nextId();
    }

    @Benchmark
    public long cosid(Cosid cosid) {
        return cosid.ids.generate();
    }

    @Benchmark
    public long tsid(Tsid tsid) {
        return tsid.ids.create().toLong();
    }

    @Benchmark
    public long cachedUid(Cached cached) {
        return cached.ids.nextId();
    }

    @Benchmark
    public long synchronizedMethod(Synchronized locked) {
        return locked.ids.nextId();
    }
}
