package io.github.leafmint.spring.boot.datasource;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A MariaDB of its own with a certificate, whose account app needs TLS. */
final class TlsServer implements AutoCloseable {
    private static final String PROGRAM = String.join(
            "\n",
            "import sys",
            "sys.path.insert(0, '../../tests/servers')",
            "from mariadb import MariaDb",
            "with MariaDb(*sys.argv[1:]) as server:",
            "    server.sql(\"CREATE USER app IDENTIFIED BY 's3cret' REQUIRE SSL\")",
            "    server.sql('GRANT ALL ON leafmint.* TO app')",
            "    print(server.port, flush=True)",
            "    sys.stdin.read()");

    private final Process process;
    private final Path certificate;
    private final int port;

    TlsServer(Path folder) throws IOException, InterruptedException {
        certificate = folder.resolve("certificate.pem");
        Path key = folder.resolve("key.pem");
        List<String> made = List.of(
                "openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1");
        run(made, "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key.toString(), "-out", certificate.toString());
        process = new ProcessBuilder("python3", "-c", PROGRAM, "--ssl-key=" + key, "--ssl-cert=" + certificate)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        port = Integer.parseInt(new BufferedReader(new InputStreamReader(process.getInputStream())).readLine());
    }

    private static void run(List<String> command, String... more) throws IOException, InterruptedException {
        var words = new ArrayList<>(command);
        words.addAll(List.of(more));
        Process ran = new ProcessBuilder(words).redirectErrorStream(true).start();
        String output = new String(ran.getInputStream().readAllBytes());
        if (ran.waitFor() != 0) {
            throw new IllegalStateException(output);
        }
    }

    Path certificate() {
        return certificate;
    }

    String url() {
        return "jdbc:mariadb://127.0.0.1:" + port + "/leafmint";
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }
}
