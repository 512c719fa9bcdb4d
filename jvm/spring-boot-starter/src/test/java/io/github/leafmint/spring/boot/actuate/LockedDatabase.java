package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** A process that holds the write lock of a SQLite database, as a connection with a long transaction does. */
final class LockedDatabase implements AutoCloseable {
    private final Process process;

    /** Returns once the lock is held. It needs a process of its own: a close in this one would drop it. */
    LockedDatabase(Path database) throws Exception {
        String java = ProcessHandle.current().info().command().orElseThrow();
        String classes = Path.of(LockedDatabase.class
                        .getProtectionDomain()
                        .getCodeSource()
                        .getLocation()
                        .toURI())
                .toString();
        process = new ProcessBuilder(java, "-cp", classes, Locking.class.getName(), database.toString())
                .redirectError(Redirect.INHERIT)
                .start();
        assertThat(process.getInputStream().read()).isEqualTo('L');
    }

    /** Locks the bytes that SQLite locks in WAL mode: a connection reads the database, is alive, and writes. */
    static final class Locking {
        public static void main(String[] arguments) throws Exception {
            try (var database = open(arguments[0]);
                    var shared = open(arguments[0] + "-shm")) {
                database.lock(0x40000002L, 510, true);
                shared.lock(128, 1, true);
                shared.lock(120, 1, false);
                System.out.write('L');
                System.out.flush();
                while (System.in.read() >= 0) {}
            }
        }

        private static FileChannel open(String file) throws IOException {
            return FileChannel.open(Path.of(file), StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        assertThat(process.onExit().join().exitValue()).isZero();
    }
}
