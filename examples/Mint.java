import io.github.leafmint.DecodedId;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.sharding.ShardRule;
import io.github.leafmint.SnowflakeGenerator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.LongSupplier;

/**
 * Mints ids and writes them to a file: the Java program of the demo and of the tests with several languages.
 *
 * <p>{@code Mint URL TAG COUNT FILE [REOPEN]} mints COUNT ids of a tag, or snowflakes if TAG is {@code -}, and opens a
 * new generator after every REOPEN ids. The file contains little-endian 64-bit words, with -1 before the ids of each
 * generator. The program prints a summary as a line of JSON, and closes the last generator at the end of standard
 * input.
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
                next = generator.tag(tag);
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

    /** Decodes a snowflake, and mints an order number that contains the table of a customer. */
    private static String describe(SnowflakeGenerator flakes, long id) {
        DecodedId decoded = flakes.decode(id);
        ShardRule rule = ShardRule.of("10", 1024);
        String order = rule.mint(flakes, "user-42");
        return String.format(
                ", \"worker_id\": %d, \"timestamp\": %d, \"sequence\": %d, \"order\": \"%s\", \"table\": %d",
                decoded.workerId(),
                decoded.timestamp().toEpochMilli(),
                decoded.sequence(),
                order,
                rule.parse(order).table());
    }
}
