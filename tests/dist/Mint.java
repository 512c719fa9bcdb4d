import io.github.leafmint.Tag;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.util.Arrays;
import java.util.stream.LongStream;

/** Mints from a file and a directory, with all processors, and checks that no id repeats. */
public class Mint {
    private static final int COUNT = 200_000;

    public static void main(String[] arguments) {
        String folder = System.getProperty("folder");
        try (SegmentGenerator ids = SegmentGenerator.open("sqlite:///" + folder + "/ids.db");
                SnowflakeGenerator flakes = SnowflakeGenerator.open("local:" + folder + "/workers")) {
            Tag order = ids.tag("order");
            check("numbers", LongStream.range(0, COUNT).parallel().map(any -> order.nextId()));
            check("snowflakes", LongStream.range(0, COUNT).parallel().map(any -> flakes.nextId()));
        }
        System.out.println(System.getProperty("os.name") + " " + System.getProperty("os.arch") + ", JDK "
                + System.getProperty("java.version") + ": " + COUNT + " numbers and snowflakes, none twice");
    }

    private static void check(String what, LongStream minted) {
        long[] ids = minted.toArray();
        if (Arrays.stream(ids).distinct().count() != COUNT) {
            throw new AssertionError("one of the " + what + " twice");
        }
    }
}
