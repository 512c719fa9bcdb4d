import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.util.function.LongSupplier;

/** Mints in both modes for each line of input, and prints the outcome: {@code ThreadShortage SEGMENTS SNOWFLAKES}. */
public final class ThreadShortage {
    private static SegmentGenerator ids;
    private static SnowflakeGenerator flakes;

    public static void main(String[] arguments) throws Exception {
        Class.forName("io.github.leafmint.StoreUnavailableException");
        SegmentGenerator.open("memory:").close(); // loads what the calls need
        print(() -> {
            throw new IllegalStateException("ready");
        });
        while (System.in.read() == '\n') {
            print(() -> {
                ids = ids == null ? SegmentGenerator.open(arguments[0]) : ids;
                return ids.tag("order").nextId();
            });
            print(() -> {
                flakes = flakes == null ? SnowflakeGenerator.open(arguments[1]) : flakes;
                return flakes.nextId();
            });
        }
    }

    private static void print(LongSupplier mint) {
        String line;
        try {
            line = mint.getAsLong() > 0 ? "id" : "no id";
        } catch (LeafmintException failure) {
            line = failure.code() + ": " + failure.getMessage();
        } catch (Throwable failure) {
            line = failure.toString();
        }
        System.out.println(line);
    }
}
