package ids;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The shop on a port of its own. */
record Application(ConfigurableApplicationContext context) implements AutoCloseable {
    static final String SECRET = "00112233445566778899aabbccddeeff0123456789abcdef0123456789abcdef";
    static final String KEYS = "leafmint.id-keys=lmk0_" + SECRET;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    static Application start(String... properties) {
        var all = new ArrayList<>(List.of("server.port=0", "spring.main.banner-mode=off", "logging.level.root=off"));
        all.addAll(List.of(properties));
        return new Application(new SpringApplicationBuilder(Shop.class)
                .properties(all.toArray(String[]::new))
                .run());
    }

    HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = request(path);
        for (int at = 0; at < headers.length; at += 2) {
            request.header(headers[at], headers[at + 1]);
        }
        return send(request);
    }

    HttpResponse<String> post(String path, String type, String body) throws Exception {
        return send(request(path).header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    private HttpRequest.Builder request(String path) {
        String port = context.getEnvironment().getProperty("local.server.port");
        return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
    }

    private static HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return CLIENT.send(request.build(), BodyHandlers.ofString());
    }

    @Override
    public void close() {
        context.close();
    }
}
