package io.github.leafmint.bench.apps;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writes orders with lines when it is asked to, as {@code writing.py} does. Its argument is the URL of the database.
 */
@SpringBootApplication
public class Writing {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final double NANOS = 1e9;

    /**
     * Serves cases until the input ends.
     *
     * @param arguments the URL of the database, and a directory for worker ids
     * @throws IOException if the driver is gone
     */
    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        var application = new SpringApplication(Writing.class);
        application.setDefaultProperties(properties(arguments[0], arguments[1]));
        try (var context = application.run()) {
            var frameworks = new Frameworks(context).all();
            var transaction = context.getBean(TransactionTemplate.class);
            var kinds = new LinkedHashMap<String, Object>();
            frameworks.forEach((name, framework) -> kinds.put(name, Map.of("kinds", framework.kinds())));
            answers.println(JSON.writeValueAsString(kinds));
            var cases = new BufferedReader(new InputStreamReader(System.in));
            for (String line = cases.readLine(); line != null; line = cases.readLine()) {
                JsonNode asked = JSON.readTree(line);
                var framework = frameworks.get(asked.get("framework").asText());
                Kind kind = Frameworks.KINDS.get(asked.get("kind").asText());
                int batch = asked.get("batch").asInt();
                int times = asked.get("orders").asInt() / batch;
                answers.println(JSON.writeValueAsString(measured(
                        times,
                        () -> transaction.executeWithoutResult(
                                status -> framework.writer().accept(kind, batch)))));
            }
        }
    }

    private static Map<String, Double> measured(int times, Runnable write) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long used = system.getProcessCpuTime();
        long began = System.nanoTime();
        for (int number = 0; number < times; number++) {
            write.run();
        }
        double seconds = (System.nanoTime() - began) / NANOS;
        return Map.of("seconds", seconds, "processor", (system.getProcessCpuTime() - used) / NANOS);
    }

    private static Map<String, Object> properties(String url, String workers) {
        URI server = URI.create(url);
        String[] account = server.getUserInfo().split(":", 2);
        boolean isPostgres = server.getScheme().equals("postgresql");
        String place = server.getHost() + ":" + server.getPort() + server.getPath();
        var properties = new LinkedHashMap<String, Object>();
        // Each driver's own batches, which rewrite or bundle the statements of a batch.
        properties.put(
                "spring.datasource.url",
                isPostgres
                        ? "jdbc:postgresql://" + place + "?reWriteBatchedInserts=true"
                        : "jdbc:mariadb://" + place + "?useBulkStmts=true");
        properties.put("spring.datasource.username", account[0]);
        properties.put("spring.datasource.password", account.length > 1 ? account[1] : "");
        properties.put("spring.main.web-application-type", "none");
        properties.put("spring.main.banner-mode", "off");
        properties.put("spring.jpa.open-in-view", "false");
        properties.put("spring.jpa.hibernate.ddl-auto", "none");
        properties.put("spring.jpa.properties.hibernate.jdbc.batch_size", "100");
        properties.put("spring.jpa.properties.hibernate.order_inserts", "true");
        properties.put("leafmint.segment.url", url);
        properties.put("leafmint.segment.auto-create", "true");
        properties.put("leafmint.snowflake.url", "local:" + workers);
        properties.put("logging.level.root", "WARN");
        return properties;
    }
}
