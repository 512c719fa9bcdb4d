import io.github.leafmint.Tag;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SegmentGeneratorBuilder;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.time.Duration;
import javax.sql.DataSource;

/** Leases as often as each line of its input says, and prints the seconds of one lease. */
public final class Leases {
    public static void main(String[] arguments) throws Exception {
        var lines = new BufferedReader(new InputStreamReader(System.in));
        try (SegmentGenerator ids = builder(arguments[0])
                .option("max_step", "1")
                .option("outage_budget", "0")
                .option("segment_duration", "0")
                .timeout(Duration.ofMinutes(1))
                .open()) {
            Tag tag = ids.tag("order");
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                int count = Integer.parseInt(line);
                tag.nextId();
                long began = System.nanoTime();
                for (int left = count; left > 0; left--) {
                    tag.nextId();
                }
                System.out.println((System.nanoTime() - began) / 1e9 / count);
                System.out.flush();
            }
        }
    }

    /** Reads a URL, or after {@code pool:} that of the pool which lends its connections. */
    private static SegmentGeneratorBuilder builder(String url) throws ReflectiveOperationException {
        if (!url.startsWith("pool:")) {
            return SegmentGenerator.builder(url);
        }
        // It is compiled without the libraries of the applications.
        Class<?> pool = Class.forName("com.zaxxer.hikari.HikariDataSource");
        Object made = pool.getConstructor().newInstance();
        pool.getMethod("setJdbcUrl", String.class).invoke(made, url.substring("pool:".length()));
        return SegmentGenerator.builder((DataSource) made);
    }
}
