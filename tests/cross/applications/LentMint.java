import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Mints ids through a JDBC driver, as {@code examples/Mint.java} does by a URL of leafmint's own.
 *
 * <p>{@code LentMint URL TAG COUNT FILE REOPEN}, with the URL of a driver.
 */
public final class LentMint {
    public static void main(String[] arguments) throws Exception {
        String url = arguments[0];
        String tag = arguments[1];
        int count = Integer.parseInt(arguments[2]);
        int reopen = Integer.parseInt(arguments[4]);
        int generators = (count + reopen - 1) / reopen;
        var ids = ByteBuffer.allocate(8 * (count + generators)).order(ByteOrder.LITTLE_ENDIAN);
        for (int start = 0; start < count; start += reopen) {
            ids.putLong(-1);
            int some = Math.min(reopen, count - start);
            if (tag.equals("-")) {
                var builder = SnowflakeGenerator.builder(url).autoCreate(true).timeout(Duration.ofMinutes(1));
                try (var flakes = builder.open()) {
                    mint(flakes, some, ids);
                }
            } else {
                try (var segments = SegmentGenerator.builder(url)
                        .option("max_step", "100")
                        .timeout(Duration.ofMinutes(1))
                        .open()) {
                    mint(segments.tag(tag), some, ids);
                }
            }
        }
        Files.write(Path.of(arguments[3]), ids.array());
        System.out.printf("{\"ids\": %d, \"generators\": %d, \"seconds\": 0}%n", count, generators);
    }

    private static void mint(LongSupplier next, int count, ByteBuffer ids) {
        for (int left = count; left > 0; left--) {
            ids.putLong(next.getAsLong());
        }
    }
}
