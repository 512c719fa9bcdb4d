package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Holds SQLite's write lock on a database that is in use, as a connection in another process does. */
final class WriteLock implements AutoCloseable {
    private final Process process;

    WriteLock(Path database) throws IOException {
        process = new ProcessBuilder(
                        JavaProcess.java(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Hold.class.getName(),
                        database.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        assertEquals('L', process.getInputStream().read());
    }

    static final class Hold {
        // https://www.sqlite.org/walformat.html#locks and the comments of os.h in SQLite
        private static final long WAL_WRITE_LOCK = 120;
        private static final long SHARED_FIRST = 0x40000002;
        private static final long SHARED_SIZE = 510;

        public static void main(String[] arguments) throws IOException {
            try (FileChannel database = open(arguments[0]);
                    FileChannel index = open(arguments[0] + "-shm")) {
                database.lock(SHARED_FIRST, SHARED_SIZE, true); // as every connection does
                index.lock(WAL_WRITE_LOCK, 1, false);
                System.out.print("L");
                System.out.flush();
                System.in.read();
            }
        }

        private static FileChannel open(String path) throws IOException {
            return FileChannel.open(Path.of(path), StandardOpenOption.READ, StandardOpenOption.WRITE);
        }
    }

    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        process.onExit().join();
    }

    /** Gives the lock back, and returns when that was: the process ends later. */
    long release() throws IOException {
        long now = System.nanoTime();
        process.getOutputStream().close();
        return now;
    }
}
