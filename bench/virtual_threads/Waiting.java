import io.github.leafmint.Tag;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Lets a thousand virtual threads wait on one carrier: they take as long as one, unless a wait pins the carrier. */
public final class Waiting {
    private static final int THREADS = 1000;
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    public static void main(String[] arguments) throws Exception {
        try (var silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String local = "local:" + Path.of(arguments[0]).toAbsolutePath() + "?workers=0";
            try (var ids = SegmentGenerator.open("mysql://root@127.0.0.1:" + silent.getLocalPort() + "/leafmint");
                    var holder = SnowflakeGenerator.builder(local).eager(true).open();
                    var flakes = SnowflakeGenerator.open(local)) {
                Tag order = ids.tag("order");
                boolean free = report("segment ids", () -> order.nextId(TIMEOUT));
                free &= report("batches", () -> order.nextIds(10, TIMEOUT));
                free &= report("snowflakes", () -> flakes.nextId(TIMEOUT));
                System.exit(free ? 0 : 1);
            }
        }
    }

    private static boolean report(String what, Runnable wait) throws Exception {
        var refused = new AtomicLong();
        List<Thread> threads = new ArrayList<>();
        long began = System.nanoTime();
        for (int number = 0; number < THREADS; number++) {
            threads.add(Thread.ofVirtual().start(() -> {
                try {
                    wait.run();
                } catch (LeafmintException timedOut) {
                    refused.incrementAndGet();
                }
            }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        double seconds = (System.nanoTime() - began) / 1e9;
        boolean free = refused.get() == THREADS && seconds < 10 * TIMEOUT.toMillis() / 1e3;
        System.out.printf(
                "%s: %d virtual threads on one carrier waited %d ms each in %.2f s: %s%n",
                what, THREADS, TIMEOUT.toMillis(), seconds, free ? "not pinned" : "PINNED");
        return free;
    }
}
