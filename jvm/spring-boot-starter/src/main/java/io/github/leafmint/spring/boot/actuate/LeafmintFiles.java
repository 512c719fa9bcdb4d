package io.github.leafmint.spring.boot.actuate;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.util.MimeType;

/** The page that shows the status, and the document that it reads from the address next to its own. */
final class LeafmintFiles {
    private static final String PAGE = "/META-INF/leafmint/page.html";
    private static final Pattern POLICY =
            Pattern.compile("http-equiv=\"Content-Security-Policy\" content=\"([^\"]*)\"");
    private static final Duration LONGEST = Duration.ofSeconds(3);

    private final RecentStatus status;

    LeafmintFiles(Generators generators, LeafmintAuditEndpoint audit) {
        var read = new Status(generators, () -> audit == null ? null : audit.latest(), LONGEST);
        status = new RecentStatus(() -> read.read().thenApply(StatusJson::of), System::nanoTime);
    }

    /**
     * A file, and what its answer's header says.
     *
     * @param body the file
     * @param type its type
     * @param policy what the browser lets it do
     */
    record WebFile(byte[] body, MimeType type, String policy) {
        WebEndpointResponse<byte[]> answer() {
            return new WebEndpointResponse<>(body, type);
        }

        Map<String, String> headers() {
            return Map.of(
                    "Cache-Control", "no-store",
                    "Content-Security-Policy", policy + "; frame-ancestors 'none'",
                    "X-Content-Type-Options", "nosniff");
        }
    }

    /** Returns a future of a file, or of {@code null} if there is none of that name. */
    CompletableFuture<WebFile> read(String name) {
        return switch (name) {
            case "page.html" -> CompletableFuture.completedFuture(page());
            case "status.json" ->
                status.read()
                        .thenApply(
                                json -> new WebFile(json, new MimeType("application", "json"), "default-src 'none'"));
            default -> CompletableFuture.completedFuture(null);
        };
    }

    private static WebFile page() {
        try (InputStream file = LeafmintFiles.class.getResourceAsStream(PAGE)) {
            String text = new String(file.readAllBytes(), StandardCharsets.UTF_8);
            Matcher policy = POLICY.matcher(text);
            if (!policy.find()) {
                throw new IllegalStateException(PAGE + " has no content security policy");
            }
            var type = new MimeType("text", "html", StandardCharsets.UTF_8);
            return new WebFile(text.getBytes(StandardCharsets.UTF_8), type, policy.group(1));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
