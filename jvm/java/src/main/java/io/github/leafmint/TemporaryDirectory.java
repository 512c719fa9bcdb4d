package io.github.leafmint;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * Checks the directory into which the native library is unpacked.
 *
 * <p>The JVM loads a library by its path. So a user who can rename files, or directories above them, could put code of
 * its own in place of the library before the JVM opens it.
 */
final class TemporaryDirectory {
    static final String PROPERTY = "java.io.tmpdir";

    /** In a pod of Kubernetes no other user reaches an {@code emptyDir}, which has mode 0777. */
    private static final String POD = "KUBERNETES_SERVICE_HOST";

    private static final int BY_ALL = 0002;
    private static final int STICKY = 01000;
    private static final int PERMISSIONS = 07777;

    private TemporaryDirectory() {}

    /** Returns the real path of the directory. */
    static Path checked() throws IOException {
        String path = System.getProperty(PROPERTY, "");
        try {
            Path real = Path.of(path).toRealPath();
            for (Path directory = real; directory != null; directory = directory.getParent()) {
                check(path, directory);
            }
            return real;
        } catch (NoSuchFileException missing) {
            throw unusable(path, "there is no such directory", "create it");
        }
    }

    /** Describes a directory that cannot be used. */
    static NativeLibrary.UnloadableException unusable(String path, String problem, String mend) {
        return new NativeLibrary.UnloadableException(
                PROPERTY + "=" + path + ": " + problem,
                mend + ", set -D" + PROPERTY + " to a directory that belongs to the user of this process, or unpack the"
                        + " library and set -D" + NativeLibrary.PATH_PROPERTY + " to its path");
    }

    private static void check(String path, Path directory) throws IOException {
        int mode = (Integer) Files.getAttribute(directory, "unix:mode") & PERMISSIONS;
        if ((mode & BY_ALL) != 0 && (mode & STICKY) == 0 && System.getenv(POD) == null) {
            throw unusable(
                    path,
                    "every user of this host may rename files in " + directory + " (mode " + Integer.toOctalString(mode)
                            + "), and so run code as this user",
                    "run chmod +t " + directory);
        }
    }
}
