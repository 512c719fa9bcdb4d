package io.github.leafmint.internal.lending;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;

/**
 * Serves connections of JDBC drivers for the specifications in {@code core/tests}: each connection to its port, which
 * it prints, is one to the database that its first line names. It ends with its standard input.
 *
 * <p>Texts are in UTF-8 and hex, the empty text is {@code ""}, and {@code -} stands for none. Questions, each a line:
 *
 * <pre>
 * U URL       the database; no answer
 * C           connect
 * R n         run n statements, each as a transaction of its own; the next n lines have one each, in hex
 * T n         run n statements in one transaction; likewise
 * E           close the connection
 * </pre>
 *
 * <p>The end of the input cuts the connection. Each answer ends with a line {@code .}; before it come
 *
 * <pre>
 * c PRODUCT VERSION             the connection is open
 * r COLUMNS ROWS                rows; each of the next ROWS lines has COLUMNS values with spaces between
 * n COUNT                       the number of rows that a statement changed
 * e NUMBER STATE LOST TEXT      a failure: of the connection, a statement or the commit; NUMBER and STATE
 *                               as they are or -, LOST 0 or 1
 * </pre>
 */
public final class Bridge {
    /** What the reader leaves at the end of the input. */
    private static final String END = "";

    private final Socket socket;
    private final PrintStream out;
    private final BlockingQueue<String> questions = new LinkedBlockingQueue<>();
    private volatile @Nullable LentConnection connection;

    private Bridge(Socket socket) throws IOException {
        this.socket = socket;
        out = new PrintStream(socket.getOutputStream(), false, StandardCharsets.US_ASCII);
    }

    public static void main(String[] arguments) throws IOException {
        var server = new ServerSocket(0, 500, InetAddress.getLoopbackAddress());
        System.out.println(server.getLocalPort());
        inBackground(() -> {
            while (System.in.read() >= 0) {
                // Nothing is asked for here.
            }
            System.exit(0);
        });
        while (true) {
            Socket socket = server.accept();
            socket.setTcpNoDelay(true);
            var bridge = new Bridge(socket);
            inBackground(bridge::read);
            inBackground(bridge::serve);
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private static void inBackground(Work work) {
        Runnable run = () -> {
            try {
                work.run();
            } catch (Exception failure) {
                failure.printStackTrace();
            }
        };
        var thread = new Thread(run, "bridge");
        thread.setDaemon(true);
        thread.start();
    }

    /** Reads the questions while one is answered: so that the end of the input cuts what that one waits for. */
    private void read() throws IOException {
        try (var lines =
                new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.US_ASCII))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                questions.add(line);
            }
        } catch (IOException cut) {
            // As at the end of the input.
        }
        LentConnection waiting = connection;
        if (waiting != null) {
            waiting.cut();
        }
        questions.add(END);
    }

    private void serve() throws Exception {
        try (socket) {
            var source = new JdbcUrlSource(text(questions.take().substring(2)), Map.of(), null);
            for (String line = questions.take(); !line.equals(END); line = questions.take()) {
                var statements = new ArrayList<String>();
                if (line.length() > 1) {
                    for (int left = Integer.parseInt(line.substring(2)); left > 0; left--) {
                        statements.add(text(questions.take()));
                    }
                }
                answer(source, line.charAt(0), statements);
                out.println(".");
                out.flush();
            }
            LentConnection left = connection;
            if (left != null) {
                left.close();
            }
        }
    }

    private void answer(ConnectionSource source, char wanted, List<String> statements) {
        LentConnection used = connection;
        if (wanted == 'C') {
            connect(source);
        } else if (used == null) {
            print(new Ran.Failed(null, null, "the connection is closed", true));
        } else if (wanted == 'E') {
            used.close();
            connection = null;
        } else {
            List<Ran> results = wanted == 'T' ? used.runTogether(statements) : used.run(statements);
            results.forEach(this::print);
        }
    }

    private void connect(ConnectionSource source) {
        try {
            LentConnection opened = source.connect();
            connection = opened;
            out.println("c " + hex(opened.product()) + " " + hex(opened.version()));
        } catch (Exception failure) {
            print(source.describe(failure));
        }
    }

    private void print(Ran result) {
        if (result instanceof Ran.Rows read) {
            out.println("r " + read.columns() + " " + read.rows().size());
            for (@Nullable String[] row : read.rows()) {
                var line = new ArrayList<String>();
                for (String value : row) {
                    line.add(hex(value));
                }
                out.println(String.join(" ", line));
            }
        } else if (result instanceof Ran.Changed changed) {
            out.println("n " + changed.count());
        } else if (result instanceof Ran.Failed failed) {
            String number = failed.number() == null ? "-" : failed.number().toString();
            String state = failed.state() == null ? "-" : failed.state();
            out.println("e " + number + " " + state + " " + (failed.isLost() ? 1 : 0) + " " + hex(failed.text()));
        }
    }

    private static String text(String hex) {
        return new String(HexFormat.of().parseHex(hex), StandardCharsets.UTF_8);
    }

    private static String hex(@Nullable String text) {
        if (text == null) {
            return "-";
        }
        return text.isEmpty() ? "\"\"" : HexFormat.of().formatHex(text.getBytes(StandardCharsets.UTF_8));
    }
}
