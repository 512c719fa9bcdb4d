package minter;

import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** Prints ids of the tag "order", and snowflakes, until standard input ends. */
@SpringBootApplication
public class MinterApplication {
    private static final int BATCH = 20;
    private static final int PAUSE_MILLIS = 10;

    public static void main(String[] arguments) {
        SpringApplication.run(MinterApplication.class, arguments).close();
    }

    @Bean
    CommandLineRunner minter(SegmentGenerator segments, SnowflakeGenerator snowflakes, DataSource pool) {
        return arguments -> {
            System.out.println("pool " + pool.getClass().getName());
            CompletableFuture<Void> end = CompletableFuture.runAsync(MinterApplication::readToTheEnd);
            while (!end.isDone()) {
                print("segment", segments.tag("order").nextIds(BATCH));
                print("snowflake", snowflakes.nextIds(BATCH));
                Thread.sleep(PAUSE_MILLIS);
            }
        };
    }

    /** One write a line: what a crash leaves is whole. */
    private static void print(String kind, long[] ids) {
        System.out.println(kind + Arrays.stream(ids).mapToObj(id -> " " + id).collect(Collectors.joining()));
    }

    private static void readToTheEnd() {
        try {
            System.in.transferTo(OutputStream.nullOutputStream());
        } catch (IOException error) {
            throw new UncheckedIOException(error);
        }
    }
}
