package io.github.leafmint.internal.natives;

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

    private static final int BY_GROUP = 0020;
    private static final int BY_ALL = 0002;
    private static final int STICKY = 01000;
    private static final int PERMISSIONS = 07777;

    private static final int ROOT = 0;

    /** What a user namespace shows in the place of an owner that it does not know. */
    private static final int UNMAPPED = 65_534;

    private static final String EVERY_USER = "0 0 4294967295";

    private TemporaryDirectory() {}

    /** Returns the real path of the directory. */
    static Path real() throws IOException {
        String path = System.getProperty(PROPERTY, "");
        try {
            return Path.of(path).toRealPath();
        } catch (NoSuchFileException missing) {
            throw unusable(path, "there is no such directory", "create it");
        }
    }

    /** Checks that no other user can replace a directory that this process has just made. */
    static void check(Path made) throws IOException {
        String path = System.getProperty(PROPERTY, "");
        int user = (Integer) Files.getAttribute(made, "unix:uid");
        for (Path directory = made.getParent(); directory != null; directory = directory.getParent()) {
            checkOwner(path, directory, user);
            checkMode(path, directory);
        }
    }

    /** Describes a directory that cannot be used. */
    static NativeLibrary.UnloadableException unusable(String path, String problem, String mend) {
        return new NativeLibrary.UnloadableException(
                PROPERTY + "=" + path + ": " + problem,
                mend + ", set -D" + PROPERTY + " to a directory that belongs to the user of this process, or unpack the"
                        + " library and set -D" + NativeLibrary.PATH_PROPERTY + " to its path");
    }

    private static void checkOwner(String path, Path directory, int user) throws IOException {
        int owner = (Integer) Files.getAttribute(directory, "unix:uid");
        if (owner != ROOT && owner != user && (owner != UNMAPPED || knowsEveryUser())) {
            throw unusable(
                    path,
                    "user " + owner + " owns " + directory + ", and so can run code as this user",
                    "run chown " + user + " on it");
        }
    }

    private static void checkMode(String path, Path directory) throws IOException {
        int mode = (Integer) Files.getAttribute(directory, "unix:mode") & PERMISSIONS;
        if ((mode & STICKY) != 0 || System.getenv(POD) != null) {
            return;
        }
        int group = (Integer) Files.getAttribute(directory, "unix:gid");
        boolean isOpen = (mode & BY_ALL) != 0;
        if (isOpen || (mode & BY_GROUP) != 0 && group != ROOT) {
            throw unusable(
                    path,
                    (isOpen ? "every user of this host" : "each member of group " + group)
                            + " may rename files in " + directory + " (mode " + Integer.toOctalString(mode)
                            + "), and so run code as this user",
                    "run chmod +t " + directory);
        }
    }

    private static boolean knowsEveryUser() {
        try {
            String map = Files.readString(Path.of("/proc/self/uid_map")).trim();
            return String.join(" ", map.split("\\s+")).equals(EVERY_USER);
        } catch (IOException unknown) {
            return true;
        }
    }
}
