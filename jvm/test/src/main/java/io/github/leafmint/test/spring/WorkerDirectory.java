package io.github.leafmint.test.spring;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Holds the worker ids of this JVM's contexts in a temporary directory.
 *
 * <p>Each context has a worker id of its own: Spring keeps the contexts of earlier tests open, and they may share a
 * database.
 */
final class WorkerDirectory {
    private static final Path DIRECTORY = create();

    private WorkerDirectory() {}

    static String url() {
        return "local:" + DIRECTORY.toUri().getRawPath();
    }

    private static Path create() {
        try {
            Path directory = Files.createTempDirectory("leafmint-test-");
            // Contexts are closed by hooks too. What deleteOnExit names is deleted after all hooks, the last one first.
            Runtime.getRuntime().addShutdownHook(new Thread(() -> deleteOnExit(directory)));
            return directory;
        } catch (IOException failure) {
            throw new UncheckedIOException("no temporary directory for worker ids", failure);
        }
    }

    private static void deleteOnExit(Path directory) {
        try (Stream<Path> parentsFirst = Files.walk(directory)) {
            parentsFirst.map(Path::toFile).forEach(File::deleteOnExit);
        } catch (IOException | UncheckedIOException failure) {
            // Something else deletes it.
        }
    }
}
