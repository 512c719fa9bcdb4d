package io.github.leafmint.internal.threads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.github.leafmint.JavaProcess;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that drains in its own shutdown hook, as Spring's does, while requests still mint. */
@Timeout(60)
class LiveGeneratorsDrainTest {
    private static final int IN_FLIGHT = 2;
    private static final int DURING_THE_DRAIN = 5;

    /** Serves ids, exits, and continues to serve for two seconds in a shutdown hook. Prints each answer. */
    static final class Server {
        private static final CountDownLatch ARRIVED = new CountDownLatch(IN_FLIGHT);
        private static final CountDownLatch ANSWERED = new CountDownLatch(IN_FLIGHT);
        private static SegmentGenerator ids;
        private static SnowflakeGenerator flakes;
        private static HttpServer server;

        public static void main(String[] arguments) throws Exception {
            ids = SegmentGenerator.open(arguments[0]);
            flakes = SnowflakeGenerator.open(arguments[1]);
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/id", Server::answer);
            server.setExecutor(Executors.newFixedThreadPool(4));
            server.start();
            Runtime.getRuntime().addShutdownHook(new Thread(Server::drain, "drain"));
            ask("");
            for (int thread = 0; thread < IN_FLIGHT; thread++) {
                var inFlight = new Thread(() -> {
                    ask("slow");
                    ANSWERED.countDown();
                });
                inFlight.setDaemon(true);
                inFlight.start();
            }
            ARRIVED.await();
            System.exit(0);
        }

        private static void answer(HttpExchange exchange) throws IOException {
            String text;
            int status = 200;
            try {
                if ("slow".equals(exchange.getRequestURI().getQuery())) {
                    ARRIVED.countDown();
                    Thread.sleep(1000);
                }
                text = ids.tag("order").nextId() + " " + flakes.nextId();
            } catch (LeafmintException | InterruptedException failure) {
                text = failure.toString();
                status = 500;
            }
            byte[] body = text.getBytes();
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }

        private static void ask(String query) {
            try {
                var url = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/id?" + query)
                        .toURL();
                var connection = (HttpURLConnection) url.openConnection();
                int status = connection.getResponseCode();
                var body = status == 200 ? connection.getInputStream() : connection.getErrorStream();
                System.out.println(status + " " + new String(body.readAllBytes()));
            } catch (IOException failure) {
                System.out.println(failure);
            }
        }

        private static void drain() {
            try {
                for (int request = 0; request < DURING_THE_DRAIN; request++) {
                    ask("");
                    Thread.sleep(450);
                }
                ANSWERED.await(20, TimeUnit.SECONDS);
            } catch (InterruptedException interrupted) {
                return;
            }
            server.stop(0);
        }
    }

    @Test
    void requestsInFlightAtTheExitAreServedUntilTheDrainEnds(@TempDir Path directory) throws Exception {
        String store = "sqlite:///" + directory.resolve("ids.db");
        var java = JavaProcess.run(List.of(), Server.class, store, "local:" + directory.resolve("workers"));
        List<String> answers = java.output().lines().toList();
        assertEquals(1 + IN_FLIGHT + DURING_THE_DRAIN, answers.size(), java.output());
        var numbers = new HashSet<String>();
        var flakes = new HashSet<String>();
        for (String answer : answers) {
            String[] words = answer.split(" ");
            assertEquals("200", words[0], java.output());
            assertTrue(numbers.add(words[1]) && flakes.add(words[2]), "twice: " + answer);
        }
        // Unused ids were given back after the drain.
        try (var later = SegmentGenerator.open(store)) {
            assertEquals(answers.size() + 1, later.tag("order").nextId());
        }
    }
}
