import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.function.ToLongFunction;

/** Asks servers for one id in each mode, as meet.py: {@code Meet URL…}. Messages are in Base64: Java has no JSON. */
public final class Meet {
    private static final Duration TIMEOUT = Duration.ofMillis(500);
    private static final Duration CONNECT_TIMEOUT = Duration.ofMillis(400);

    public static void main(String[] urls) throws IOException {
        for (String url : urls) {
            meet("segment", url, Meet::segment);
            meet("snowflake", url, Meet::snowflake);
        }
    }

    private static void meet(String mode, String url, ToLongFunction<String> mint) throws IOException {
        long began = System.nanoTime();
        String answer;
        try {
            answer = "\"id\": " + mint.applyAsLong(url);
        } catch (LeafmintException failure) {
            byte[] message = failure.getMessage().getBytes(java.nio.charset.StandardCharsets.UTF_8);
            answer = "\"code\": \"" + failure.code() + "\", \"base64\": \""
                    + Base64.getEncoder().encodeToString(message) + "\"";
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        double memory =
                Long.parseLong(Files.readString(Path.of("/proc/self/statm")).split(" ")[1]) * 4096 / 1e6;
        System.out.println("{" + answer + ", \"mode\": \"" + mode + "\", \"seconds\": " + seconds + ", \"memory\": "
                + memory + "}");
    }

    private static long segment(String url) {
        try (var ids = SegmentGenerator.builder(url)
                .timeout(TIMEOUT)
                .connectTimeout(CONNECT_TIMEOUT)
                .open()) {
            return ids.tag("order").nextId();
        }
    }

    private static long snowflake(String url) {
        try (var flakes = SnowflakeGenerator.builder(url).autoCreate(true)
                .stateFiles(false)
                .timeout(TIMEOUT)
                .connectTimeout(CONNECT_TIMEOUT)
                .open()) {
            return flakes.nextId();
        }
    }
}
