package io.github.leafmint.internal.lending;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The connections that one generator has, by the core's numbers. It answers the core's questions, on any thread. */
public final class LentConnections {
    private static final int STATEMENTS = 2;

    private final ConnectionSource source;
    private final Map<String, Lent> open = new ConcurrentHashMap<>();

    public LentConnections(ConnectionSource source) {
        this.source = source;
    }

    /**
     * Answers a question: the connection's number, what is wanted, and the statements.
     *
     * @param send passes the answer on, and returns false if no call waits for it any more
     */
    public void answer(List<String> question, Predicate<byte @Nullable []> send) throws IOException {
        Thread thread = Thread.currentThread();
        // Drivers look their classes up through the context class loader. The source is reachable from here anyway.
        thread.setContextClassLoader(source.loader());
        try {
            String key = question.get(0);
            List<String> statements = question.subList(STATEMENTS, question.size());
            switch (question.get(1)) {
                case "connect" -> connect(key, send);
                case "run" -> send.test(run(key, false, statements));
                case "run together" -> send.test(run(key, true, statements));
                case "end" -> {
                    end(key);
                    send.test(LendingAnswer.ended());
                }
                default -> {
                    abandon(key);
                    send.test(LendingAnswer.ended());
                }
            }
        } finally {
            thread.setContextClassLoader(null);
        }
    }

    /** Closes the connections that are left. One of a pool may still have settings of leafmint's, so it is cut. */
    public void closeAll() {
        for (String key : open.keySet()) {
            Lent lent = open.remove(key);
            if (lent != null) {
                lent.end(lent.connection.isShared());
            }
        }
    }

    private void connect(String key, Predicate<byte @Nullable []> send) throws IOException {
        byte[] answer;
        try {
            LentConnection connection = source.connect();
            open.put(key, new Lent(connection));
            answer = LendingAnswer.connected(connection);
        } catch (Throwable failure) { // a driver may throw anything
            answer = LendingAnswer.failed(source.describe(failure));
        }
        if (!send.test(answer)) {
            end(key);
        }
    }

    private byte[] run(String key, boolean together, List<String> statements) throws IOException {
        Lent lent = open.get(key);
        List<Ran> results = lent == null ? null : lent.run(together, statements);
        return results == null
                ? LendingAnswer.failed(new Ran.Failed(null, null, "the connection is closed", true))
                : LendingAnswer.ran(results);
    }

    private void end(String key) {
        Lent lent = open.remove(key);
        if (lent != null) {
            lent.end(false);
        }
    }

    private void abandon(String key) {
        Lent lent = open.remove(key);
        if (lent != null) {
            lent.end(true);
        }
    }

    /** A connection, and whether a thread is inside its driver: that thread closes it. */
    private static final class Lent {
        private final LentConnection connection;
        private boolean isBusy;
        private boolean isOver;

        Lent(LentConnection connection) {
            this.connection = connection;
        }

        @Nullable
        List<Ran> run(boolean together, List<String> statements) {
            if (!begin()) {
                return null;
            }
            try {
                return together ? connection.runTogether(statements) : connection.run(statements);
            } finally {
                if (finish()) {
                    connection.close();
                }
            }
        }

        void end(boolean isCut) {
            boolean isLeft = over();
            if (isCut || !isLeft) {
                connection.cut();
            }
            if (isLeft) {
                connection.close();
            }
        }

        private synchronized boolean begin() {
            isBusy = !isOver;
            return isBusy;
        }

        /** Returns whether the connection is over. */
        private synchronized boolean finish() {
            isBusy = false;
            return isOver;
        }

        /** Ends the use of the connection. Returns whether no thread uses it. */
        private synchronized boolean over() {
            isOver = true;
            return !isBusy;
        }
    }
}
