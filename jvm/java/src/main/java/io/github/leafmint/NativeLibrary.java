package io.github.leafmint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;

/** Loads the native library, once per class loader: from the path that a property names, or out of the JAR. */
final class NativeLibrary {
    static final String PATH_PROPERTY = "leafmint.native.path";

    /** Kept rather than thrown: a failing class initialiser would tell its reason to the first caller only. */
    private static final Throwable FAILURE = load();

    private NativeLibrary() {}

    /** Raises {@link InvalidConfigException} where the library could not be loaded. */
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
            return "one file serves one class loader: leave -D" + PATH_PROPERTY
                    + " out, so that each unpacks a copy of its own from the JAR, "
                    + "or put leafmint where both class loaders find it, as in the server's own library directory";
        }
        return "-D" + PATH_PROPERTY + "=" + path + " has to name a " + library + " for this platform";
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

    // The virtual machine allows a library file to one class loader only, so that every load gets a file of its own.
    private static void loadFromJar() throws IOException {
        String name = System.mapLibraryName("leafmint_jni");
        String resource = "/native/" + platform() + "/" + name;
        try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new IOException("the JAR holds no " + resource);
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
     * Writes into the very file that was made for this user alone: one made anew would have the mode that the umask
     * gives.
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

    static String platform() {
        String os = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        String arch = System.getProperty("os.arch", "").toLowerCase(Locale.ROOT);
        String family = os.startsWith("mac") ? "macos" : os.startsWith("windows") ? "windows" : os;
        return family + "-" + (arch.equals("amd64") ? "x86_64" : arch);
    }
}
