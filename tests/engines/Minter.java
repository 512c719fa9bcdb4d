import io.github.leafmint.BizTag;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.TagStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Mints until standard input ends, in the proof on engines: what {@code minter.py} does, in Java.
 *
 * <p>{@code Minter URL TAG|- IDS RATE} appends every id to the file IDS as a little-endian 64-bit word, at about RATE
 * ids a second (0: as fast as it can), and prints its figures as JSON at the end. {@code -} mints snowflakes.
 */
public final class Minter {
    private static final int BATCH = 100;
    private static final Map<String, Long> ERRORS = new TreeMap<>();
    private static final Map<String, String> SAMPLES = new TreeMap<>();
    private static volatile boolean stop;
    private static long longest;
    private static double waitEnded;

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        String tag = arguments[1];
        Path ids = Path.of(arguments[2]);
        double rate = Double.parseDouble(arguments[3]);
        Thread end = new Thread(Minter::waitForTheEnd);
        end.setDaemon(true);
        end.start();
        if (tag.equals("-")) {
            try (SnowflakeGenerator flakes = SnowflakeGenerator.open(url)) {
                mint(() -> flakes.nextIds(BATCH), ids, rate);
            }
            report(0, 0, 0);
            return;
        }
        SegmentGenerator generator = SegmentGenerator.open(url);
        try (generator) {
            BizTag order = generator.bizTag(tag);
            mint(() -> order.nextIds(BATCH), ids, rate);
        }
        TagStats stats = generator.stats().tags().get(tag);
        report(stats.leased(), stats.givenBack(), stats.refills());
    }

    private static void waitForTheEnd() {
        try {
            System.in.readAllBytes();
        } catch (IOException gone) {
            // This is the end as well.
        }
        stop = true;
    }

    /** Mints batch by batch. The longest wait lasts from one id to the next, over all calls that failed meanwhile. */
    private static void mint(Supplier<long[]> source, Path ids, double rate) throws Exception {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8 * BATCH).order(ByteOrder.LITTLE_ENDIAN);
        long count = 0;
        long began = System.nanoTime();
        long asked = began;
        try (FileChannel out = FileChannel.open(
                ids, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND)) {
            while (!stop) {
                long[] drawn;
                try {
                    drawn = source.get();
                } catch (LeafmintException error) {
                    ERRORS.merge(error.code(), 1L, Long::sum);
                    SAMPLES.put(error.code(), error.getMessage());
                    Thread.sleep(10);
                    continue;
                }
                long now = System.nanoTime();
                waited(now - asked);
                buffer.clear();
                buffer.asLongBuffer().put(drawn);
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                count += drawn.length;
                double ahead = rate > 0 ? count / rate - (now - began) / 1e9 : 0;
                if (ahead > 0.002) {
                    Thread.sleep((long) (ahead * 1e3));
                } else if (ahead < -1) {
                    began = now - (long) (count / rate * 1e9);
                }
                // A pause that keeps the rate is no wait.
                asked = System.nanoTime();
            }
        }
        // A wait that has not ended yet counts as well.
        waited(System.nanoTime() - asked);
    }

    private static void waited(long nanos) {
        if (nanos > longest) {
            longest = nanos;
            waitEnded = System.currentTimeMillis() / 1e3;
        }
    }

    private static void report(long leased, long givenBack, long refills) {
        System.out.printf(
                "{\"longest\": %.3f, \"wait_ended\": %.3f, \"errors\": %s, \"samples\": %s, \"leased\": %d,"
                        + " \"given_back\": %d, \"refills\": %d}%n",
                longest / 1e9, waitEnded, json(ERRORS), json(SAMPLES), leased, givenBack, refills);
    }

    private static String json(Map<String, ?> values) {
        return values.entrySet().stream()
                .map(entry -> quoted(entry.getKey()) + ": "
                        + (entry.getValue() instanceof Long number ? number : quoted(entry.getValue())))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String quoted(Object text) {
        String escaped = text.toString().replace("\\", "\\\\").replace("\"", "\\\"");
        return '"' + escaped.replaceAll("\\p{Cntrl}", " ") + '"';
    }
}
