package io.github.leafmint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Loads the native library, once per class loader: from the path in a system property, or from the JAR. */
final class NativeLibrary {
    static final String PATH_PROPERTY = "leafmint.native.path";

    /** Stored, because a failing class initialiser would report its reason only to the first caller. */
    private static final Throwable FAILURE = load();

    private NativeLibrary() {}

    /**
     * Loads the library with the first call.
     *
     * @throws InvalidConfigException if it could not be loaded
     */
    static void require() {
        if (FAILURE != null) {
            var failure = new InvalidConfigException("the native library of leafmint for " + platform()
                    + " could not be loaded: " + FAILURE.getMessage() + "; " + advice());
            failure.initCause(FAILURE);
            throw failure;
        }
    }

    private static String advice() {
        String library = System.mapLibraryName("leafmint_jni");
        String path = System.getProperty(PATH_PROPERTY);
        if (path == null) {
            return "set -D" + PATH_PROPERTY + " to the path of a " + library
                    + " for this platform, on a file system that allows execution";
        }
        if (String.valueOf(FAILURE.getMessage()).contains("already loaded in another classloader")) {
            return "a file can serve only one class loader: leave -D" + PATH_PROPERTY
                    + " out, so that each class loader unpacks its own copy from the JAR, or install leafmint where"
                    + " both class loaders find it, such as the library directory of the server";
        }
        return "-D" + PATH_PROPERTY + "=" + path + " must name a " + library + " for this platform";
    }

    private static Throwable load() {
        try {
            String path = System.getProperty(PATH_PROPERTY);
            if (path != null) {
                System.load(Path.of(path).toAbsolutePath().toString());
            } else {
                loadFromJar();
            }
            return null;
        } catch (IOException | RuntimeException | LinkageError failure) {
            return failure;
        }
    }

    /** Loads from a new file, because the JVM allows a library file to one class loader only. */
    private static void loadFromJar() throws IOException {
        String name = System.mapLibraryName("leafmint_jni");
        String resource = "/native/" + platform() + "/" + name;
        try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new IOException("the JAR does not contain " + resource);
            }
            Path file = unpack(library, name);
            try {
                System.load(file.toAbsolutePath().toString());
            } finally {
                deleteWhenPossible(file);
            }
        }
    }

    /**
     * Unpacks the library into a temporary file that only this user can access.
     *
     * <p>It writes into the file that {@code createTempFile} made: a file created here would get the mode of the umask.
     */
    static Path unpack(InputStream library, String name) throws IOException {
        Path file = Files.createTempFile("leafmint-", name);
        try (OutputStream into = Files.newOutputStream(file, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS)) {
            library.transferTo(into);
            return file;
        } catch (IOException | RuntimeException failure) {
            deleteWhenPossible(file);
            throw failure;
        }
    }

    private static void deleteWhenPossible(Path file) {
        try {
            Files.deleteIfExists(file);
        } catch (IOException inUse) {
            file.toFile().deleteOnExit();
        }
    }

    /** Returns the platform as in the JAR, for example {@code linux-x86_64}. */
    static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        return (os.startsWith("mac") ? "macos" : os) + "-" + (arch.equals("amd64") ? "x86_64" : arch);
    }
}
