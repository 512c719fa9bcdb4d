import io.github.leafmint.BizTag;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
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
 * Mints until standard input ends, in the soak test.
 *
 * <p>{@code Minter URL TAG|- IDS STATUS RATE SEED}: two threads share one generator; each appends every id to a file of
 * its own as a little-endian 64-bit word before it takes the next batch, at about RATE ids a second in all, and a line
 * of JSON to a status file twice a second. {@code -} mints snowflakes.
 */
public final class Minter {
    private static volatile boolean stop;

    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        String tag = arguments[1];
        Thread end = new Thread(Minter::waitForTheEnd);
        end.setDaemon(true);
        end.start();
        if (tag.equals("-")) {
            try (SnowflakeGenerator flakes = SnowflakeGenerator.open(url)) {
                mintInTwoThreads(arguments, size -> size == 1 ? new long[] {flakes.nextId()} : flakes.nextIds(size));
            }
        } else {
            try (SegmentGenerator ids = SegmentGenerator.open(url)) {
                BizTag order = ids.bizTag(tag);
                mintInTwoThreads(arguments, size -> size == 1 ? new long[] {order.nextId()} : order.nextIds(size));
            }
        }
    }

    private static void waitForTheEnd() {
        try {
            System.in.readAllBytes();
        } catch (IOException gone) {
            // This is the end as well.
        }
        stop = true;
    }

    private static void mintInTwoThreads(String[] arguments, IntFunction<long[]> source) throws InterruptedException {
        Thread[] threads = new Thread[2];
        for (int i = 0; i < threads.length; i++) {
            String name = ".thread" + i;
            Random chance = new Random(Long.parseLong(arguments[5]) + i);
            double rate = Double.parseDouble(arguments[4]) / threads.length;
            Path ids = Path.of(arguments[2] + name);
            Path status = Path.of(arguments[3] + name);
            threads[i] = new Thread(() -> mint(source, ids, status, rate, chance));
            threads[i].start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void mint(IntFunction<long[]> source, Path ids, Path status, double rate, Random chance) {
        int[] sizes = {1, 1, 10, 100, 1000};
        // A selector sleeps as it should under libfaketime too, which a thread that parks does not.
        Map<String, Long> errors = new TreeMap<>();
        ByteBuffer buffer = ByteBuffer.allocateDirect(8 * 1000).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel out = FileChannel.open(
                        ids, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
                Selector pause = Selector.open()) {
            long count = 0;
            long longest = 0;
            long began = System.nanoTime();
            long reported = began;
            while (!stop) {
                long asked = System.nanoTime();
                long[] drawn = {};
                try {
                    drawn = source.apply(sizes[chance.nextInt(sizes.length)]);
                } catch (LeafmintException error) {
                    if (errors.merge(error.code(), 1L, Long::sum) == 1) {
                        System.err.println(error.code() + ": " + error.getMessage());
                    }
                    pause.select(10);
                }
                long now = System.nanoTime();
                longest = Math.max(longest, now - asked);
                buffer.clear();
                buffer.asLongBuffer().put(drawn);
                buffer.limit(8 * drawn.length);
                while (buffer.hasRemaining()) {
                    out.write(buffer);
                }
                count += drawn.length;
                if (now - reported > 500_000_000) {
                    reported = now;
                    report(status, count, longest, errors);
                }
                double ahead = count / rate - (now - began) / 1e9;
                if (ahead > 0.002) {
                    pause.select((long) (ahead * 1e3));
                } else if (ahead < -1) {
                    // What was missed while nothing could be minted is not made up for.
                    began = now - (long) (count / rate * 1e9);
                }
            }
            report(status, count, longest, errors);
        } catch (IOException error) {
            error.printStackTrace();
            System.exit(1);
        }
    }

    private static void report(Path status, long count, long longest, Map<String, Long> errors) throws IOException {
        String byCode = errors.entrySet().stream()
                .map(error -> "\"" + error.getKey() + "\": " + error.getValue())
                .collect(Collectors.joining(", "));
        String line = String.format(
                "{\"ids\": %d, \"longest_wait\": %.3f, \"errors\": {%s}}%n", count, longest / 1e9, byCode);
        Files.writeString(status, line, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }
}
