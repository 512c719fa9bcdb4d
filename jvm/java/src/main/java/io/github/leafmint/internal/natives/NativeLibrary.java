package io.github.leafmint.internal.natives;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.InvalidConfigException;
import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Loads the native library, once per class loader: from the path in a system property, or from the JAR. */
public final class NativeLibrary {
    static final String PATH_PROPERTY = "leafmint.native.path";

    private static final Platform PLATFORM = Platform.current();

    /** Number of names that may be taken before the library is not unpacked. */
    private static final int MOST_TAKEN = 100;

    /** Stored, because a failing class initialiser would report its reason only to the first caller. */
    private static final @Nullable Throwable FAILURE = load();

    private NativeLibrary() {}

    /**
     * Loads the library with the first call.
     *
     * @throws InvalidConfigException if it could not be loaded
     */
    public static void require() {
        if (FAILURE != null) {
            var failure = new InvalidConfigException("the native library of leafmint for " + PLATFORM.folder()
                    + " could not be loaded: " + FAILURE.getMessage() + "; " + advice(FAILURE));
            failure.initCause(FAILURE);
            throw failure;
        }
    }

    static String advice(Throwable reason) {
        String library = System.mapLibraryName("leafmint_jni");
        String path = System.getProperty(PATH_PROPERTY);
        if (reason instanceof UnloadableException unloadable) {
            return unloadable.advice;
        }
        if (reason instanceof NoClassDefFoundError) {
            return "keep all classes of leafmint's JAR: a tool that makes JARs smaller may have left it out";
        }
        if (reason instanceof IllegalCallerException) {
            return "start Java with --enable-native-access=ALL-UNNAMED, or with leafmint on the module path"
                    + " --enable-native-access=io.github.leafmint";
        }
        if (path == null) {
            return "set -D" + PATH_PROPERTY + " to the path of a " + library
                    + " for this platform, on a file system that allows execution";
        }
        if (String.valueOf(reason.getMessage()).contains("already loaded in another classloader")) {
            return "a file can serve only one class loader: leave -D" + PATH_PROPERTY
                    + " out, so that each class loader unpacks its own copy from the JAR, or install leafmint where"
                    + " both class loaders find it, such as the library directory of the server";
        }
        return "-D" + PATH_PROPERTY + "=" + path + " must name a " + library + " for this platform";
    }

    private static @Nullable Throwable load() {
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
        String resource = "/native/" + PLATFORM.folder() + "/" + name;
        try (InputStream library = NativeLibrary.class.getResourceAsStream(resource)) {
            if (library == null) {
                throw new UnloadableException(
                        "the JAR does not contain " + resource, PLATFORM.advice("-D" + PATH_PROPERTY));
            }
            Path file = unpack(library, name);
            try {
                System.load(file.toString());
            } finally {
                deleteWhenPossible(file);
            }
        }
    }

    /** Unpacks the library into a new temporary directory that only this user can access. */
    static Path unpack(InputStream library, String name) throws IOException {
        Path file = newDirectory(TemporaryDirectory.real()).resolve(name);
        try {
            TemporaryDirectory.check(requireNonNull(file.getParent()));
            write(library, file);
            return file;
        } catch (IOException | RuntimeException failure) {
            deleteWhenPossible(file);
            throw failure;
        }
    }

    private static void write(InputStream library, Path file) throws IOException {
        // A channel would cost a start 5 ms more.
        try (var into = new FileOutputStream(file.toString())) {
            // transferTo takes pieces of 8 KiB, which costs a quarter more time.
            byte[] piece = new byte[1 << 16];
            for (int length = library.read(piece); length >= 0; length = library.read(piece)) {
                into.write(piece, 0, length);
            }
        }
    }

    /** {@code Files.createTempDirectory} loads the security providers for a random name, which costs a start 35 ms. */
    private static Path newDirectory(Path parent) throws IOException {
        var ofThisUser = PosixFilePermissions.asFileAttribute(Set.of(
                PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE));
        for (int taken = 0; ; taken++) {
            String name = "leafmint-" + Long.toUnsignedString(System.nanoTime(), Character.MAX_RADIX);
            try {
                return Files.createDirectory(parent.resolve(name), ofThisUser);
            } catch (FileAlreadyExistsException exists) {
                if (taken == MOST_TAKEN) {
                    throw exists;
                }
            } catch (IOException failure) {
                throw TemporaryDirectory.unusable(
                        parent.toString(), "no file can be created there: " + failure, "let this user write there");
            }
        }
    }

    /** Deletes the file with its directory. */
    private static void deleteWhenPossible(Path file) {
        File directory = requireNonNull(file.getParent()).toFile();
        file.toFile().delete();
        if (!directory.delete()) {
            directory.deleteOnExit(); // after the file: the last one named is the first to go
            file.toFile().deleteOnExit();
        }
    }

    /** The library cannot be loaded, and what to do about it is known. */
    static final class UnloadableException extends IOException {
        private static final long serialVersionUID = 1;

        private final String advice;

        UnloadableException(String message, String advice) {
            super(message);
            this.advice = advice;
        }
    }
}
