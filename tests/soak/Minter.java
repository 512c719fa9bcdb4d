import io.github.leafmint.Tag;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.status.TagStats;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.Selector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Mints until standard input ends, in soaks and in the proofs on engines: what {@code minter.py} does, in Java.
 *
 * <p>{@code Minter URL TAG|- IDS STATUS RATE SEED|-}: two threads share one generator; each appends every id to a file
 * of its own as a little-endian 64-bit word before it takes the next batch, at about RATE ids a second in all (0: as
 * fast as it can), and a line of JSON to a status file twice a second; the last line has the figures of the tag.
 * {@code -} mints snowflakes; without a seed there is one thread, and each batch has a hundred ids.
 */
public final class Minter implements Runnable {
    private static final int[] SIZES = {1, 1, 10, 100, 1000};
    private static volatile boolean stop;

    private final IntFunction<long[]> source;
    private final Path ids;
    private final Path status;
    private final double rate;
    private final Random chance;
    private final Map<String, Long> errors = new TreeMap<>();
    private final Map<String, String> samples = new TreeMap<>();
    private long count;
    private long longestWait;
    private long longestGap;
    private double gapEnded;

    private Minter(IntFunction<long[]> source, String[] arguments, int number, int threads) {
        this.source = source;
        ids = Path.of(arguments[2] + ".thread" + number);
        status = Path.of(arguments[3] + ".thread" + number);
        rate = Double.parseDouble(arguments[4]) / threads;
        chance = arguments[5].equals("-") ? null : new Random(Long.parseLong(arguments[5]) + number);
    }

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        String tag = arguments[1];
        Thread end = new Thread(Minter::waitForTheEnd);
        end.setDaemon(true);
        end.start();
        if (tag.equals("-")) {
            try (SnowflakeGenerator flakes = SnowflakeGenerator.open(url)) {
                mintInThreads(arguments, size -> size == 1 ? new long[] {flakes.nextId()} : flakes.nextIds(size));
            }
            return;
        }
        SegmentGenerator generator = SegmentGenerator.open(url);
        Minter first;
        try (generator) {
            Tag order = generator.tag(tag);
            first = mintInThreads(arguments, size -> size == 1 ? new long[] {order.nextId()} : order.nextIds(size));
        }
        TagStats stats = generator.stats().tags().get(tag);
        first.report(String.format(
                ", \"leased\": %d, \"given_back\": %d, \"refills\": %d",
                stats.leased(), stats.givenBack(), stats.refills()));
    }

    private static void waitForTheEnd() {
        try {
            System.in.readAllBytes();
        } catch (IOException gone) {
            // This is the end as well.
        }
        stop = true;
    }

    private static Minter mintInThreads(String[] arguments, IntFunction<long[]> source) throws InterruptedException {
        Minter[] minters = new Minter[arguments[5].equals("-") ? 1 : 2];
        Thread[] threads = new Thread[minters.length];
        for (int i = 0; i < threads.length; i++) {
            minters[i] = new Minter(source, arguments, i, threads.length);
            threads[i] = new Thread(minters[i]);
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return minters[0];
    }

    /** Mints batch by batch. A gap lasts from one id to the next, over all calls that failed meanwhile. */
    @Override
    public void run() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(8 * 1000).order(ByteOrder.LITTLE_ENDIAN);
        // A selector sleeps as it should under libfaketime too, which a thread that parks does not.
        try (FileChannel out = FileChannel.open(
                        ids, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
                Selector pause = Selector.open()) {
            long began = System.nanoTime();
            long reported = began;
            long had = began;
            while (!stop) {
                long asked = System.nanoTime();
                long[] drawn = {};
                try {
                    drawn = source.apply(chance == null ? 100 : SIZES[chance.nextInt(SIZES.length)]);
                } catch (LeafmintException error) {
                    samples.put(error.code(), error.getMessage());
                    if (errors.merge(error.code(), 1L, Long::sum) == 1) {
                        System.err.println(error.code() + ": " + error.getMessage());
                    }
                    pause.select(10);
                }
                long now = System.nanoTime();
                longestWait = Math.max(longestWait, now - asked);
                if (drawn.length > 0) {
                    closeGap(now - had);
                }
                buffer.clear();
                buffer.asLongBuffer().put(drawn);
                buffer.limit(8 * drawn.length);
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                count += drawn.length;
                if (now - reported > 500_000_000) {
                    reported = now;
                    report("");
                }
                double ahead = rate > 0 ? count / rate - (now - began) / 1e9 : 0;
                if (ahead > 0.002) {
                    pause.select((long) (ahead * 1e3));
                } else if (ahead < -1) {
                    // What was missed while nothing could be minted is not made up for.
                    began = now - (long) (count / rate * 1e9);
                }
                if (drawn.length > 0) {
                    // A pause that keeps the rate is no gap.
                    had = System.nanoTime();
                }
            }
            // A gap that has not ended yet counts as well.
            closeGap(System.nanoTime() - had);
            report("");
        } catch (IOException error) {
            error.printStackTrace();
            System.exit(1);
        }
    }

    private void closeGap(long nanos) {
        if (nanos > longestGap) {
            longestGap = nanos;
            gapEnded = System.currentTimeMillis() / 1e3;
        }
    }

    private void report(String more) throws IOException {
        String line = String.format(
                "{\"ids\": %d, \"longest_wait\": %.3f, \"longest_gap\": %.3f, \"gap_ended\": %.3f, \"errors\": %s,"
                        + " \"samples\": %s%s}%n",
                count, longestWait / 1e9, longestGap / 1e9, gapEnded, json(errors), json(samples), more);
        Files.writeString(status, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
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
