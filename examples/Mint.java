import io.github.leafmint.DecodedId;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.ShardRule;
import io.github.leafmint.SnowflakeGenerator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Mints ids of one tag and writes them to a file: the Java program of the demo and of the cross-language tests.
 *
 * <p>{@code Mint URL TAG COUNT FILE [REOPEN]} opens a new generator after every REOPEN ids; with {@code -} for the tag it mints
 * snowflakes. The file holds little-endian 64-bit words, a -1 before each generator's ids. A line of JSON on standard output
 * sums the run up; the last generator is closed when standard input ends.
 */
public final class Mint {
    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        String tag = arguments[1];
        int count = Integer.parseInt(arguments[2]);
        int reopen = arguments.length > 4 ? Integer.parseInt(arguments[4]) : count;

        int generators = (count + reopen - 1) / reopen;
        long[] ids = new long[count + generators];
        int at = 0;
        long began = System.nanoTime();
        AutoCloseable last = null;
        for (int start = 0; start < count; start += reopen) {
            if (last != null) {
                last.close();
            }
            ids[at++] = -1;
            LongSupplier next;
            if (tag.equals("-")) {
                SnowflakeGenerator flakes = SnowflakeGenerator.open(url);
                last = flakes;
                next = flakes;
            } else {
                SegmentGenerator generator = SegmentGenerator.open(url);
                last = generator;
                next = generator.bizTag(tag);
            }
            for (int end = at + Math.min(reopen, count - start); at < end; at++) {
                ids[at] = next.getAsLong();
            }
        }
        double seconds = (System.nanoTime() - began) / 1e9;

        ByteBuffer bytes = ByteBuffer.allocate(8 * at).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(ids, 0, at);
        Files.write(Path.of(arguments[3]), bytes.array());
        String first = Arrays.toString(Arrays.copyOfRange(ids, 1, Math.min(6, at)));
        String flake = last instanceof SnowflakeGenerator flakes ? describe(flakes, ids[1]) : "";
        System.out.printf(
                "{\"language\": \"Java\", \"ids\": %d, \"generators\": %d, \"seconds\": %.3f, \"first\": %s%s}%n",
                count, generators, seconds, first, flake);
        System.out.flush();
        System.in.readAllBytes();
        if (last != null) {
            last.close();
        }
    }

    /** Takes a snowflake apart, and mints an order number for a customer, which carries its table. */
    private static String describe(SnowflakeGenerator flakes, long id) {
        DecodedId decoded = flakes.decode(id);
        ShardRule rule = ShardRule.of("10", 1024);
        String order = rule.mint(flakes, "user-42");
        return String.format(
                ", \"worker_id\": %d, \"timestamp\": %d, \"sequence\": %d, \"order\": \"%s\", \"table\": %d",
                decoded.workerId(), decoded.timestamp().toEpochMilli(), decoded.sequence(), order, rule.parse(order).table());
    }
}
