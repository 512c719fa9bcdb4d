package io.github.leafmint.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.leafmint.JavaProcess;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.SnowflakeGenerator;
import java.io.ByteArrayInputStream;
import java.io.File;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class NativeLibraryTest {
    /** Mints an id and prints the outcome, twice: the second error must have its reason too. */
    public static final class Mint {
        public static void main(String[] arguments) {
            for (int round = 0; round < 2; round++) {
                try (var ids = SegmentGenerator.open("memory:")) {
                    System.out.println("id " + ids.tag("order").nextId());
                } catch (LeafmintException failure) {
                    System.out.println(failure.code() + ": " + failure.getMessage());
                }
            }
        }
    }

    /** Mints in two class loaders that load the file of the property. */
    static final class MintTwice {
        public static void main(String[] arguments) throws Exception {
            for (int turn = 0; turn < 2; turn++) {
                RedeployTest.newLoader()
                        .loadClass(Mint.class.getName())
                        .getMethod("main", String[].class)
                        .invoke(null, (Object) arguments);
            }
        }
    }

    /** Unpacks a library and prints the mode of its directory. */
    static final class Unpack {
        public static void main(String[] arguments) throws Exception {
            Path file = NativeLibrary.unpack(new ByteArrayInputStream("code".getBytes()), "library.so");
            var mode = Files.getPosixFilePermissions(file.getParent());
            System.out.println(PosixFilePermissions.toString(mode) + " " + Files.readString(file));
            Files.delete(file);
            Files.delete(file.getParent());
        }
    }

    /** Mints two ids, and prints each by itself: other ways to print would need the JVM's machinery. */
    static final class FirstIds {
        public static void main(String[] arguments) {
            try (var ids = SegmentGenerator.open("memory:");
                    var flakes = SnowflakeGenerator.open(arguments[0])) {
                System.out.println(ids.tag("order").nextId());
                System.out.println(flakes.nextId());
            }
        }
    }

    private static final Path LIBRARY =
            Path.of("target/classes/native", Platform.current().folder(), System.mapLibraryName("leafmint_jni"));

    @Test
    void thePropertyNamesTheLibrary() throws Exception {
        var java = JavaProcess.run(
                List.of("-Dleafmint.native.path=" + LIBRARY, "-Djava.io.tmpdir=/no/such/directory"), Mint.class);
        // Some JVMs first print a warning about the directory.
        assertTrue(java.output().endsWith("id 1\nid 2\n"), java.output());
    }

    @Test
    void theFirstIdStartsNeitherLambdasNorRegularExpressionsNorSecurityProviders(@TempDir Path directory)
            throws Exception {
        var java = JavaProcess.run(List.of("-Xlog:class+load:stdout"), FirstIds.class, "local:" + directory);
        assertTrue(java.output().contains("io.github.leafmint.Tag "), java.output());
        assertTrue(java.output().contains("io.github.leafmint.Layout "), java.output());
        // Later JDKs use method handles of their own on the way.
        String handles = Runtime.version().feature() == 17 ? "|LambdaForm.MH" : "";
        String names = "github\\.leafmint.*Lambda|security\\.SecureRandom|regex\\.Pattern" + handles;
        List<String> dear = java.output()
                .lines()
                .filter(line -> line.matches(".*(" + names + ").*"))
                .toList();
        assertEquals(List.of(), dear);
    }

    @Test
    void aSecondClassLoaderGetsTheAdviceToLeaveThePropertyOut() throws Exception {
        var java = JavaProcess.run(List.of("-Dleafmint.native.path=" + LIBRARY), MintTwice.class);
        List<String> lines = java.output().lines().toList();
        assertEquals(List.of("id 1", "id 2"), lines.subList(0, 2), java.output());
        assertTrue(lines.get(2).contains("leave -Dleafmint.native.path out"), java.output());
    }

    @Test
    void aPathThatDoesNotLoadIsNamedInEveryError() throws Exception {
        var java = JavaProcess.run(List.of("-Dleafmint.native.path=/no/such/library.so"), Mint.class);
        List<String> lines = java.output().lines().toList();
        assertEquals(2, lines.size(), java.output());
        for (String line : lines) {
            assertTrue(line.startsWith("invalid_config: ") && line.contains("/no/such/library.so"), line);
        }
    }

    @Test
    void aJvmThatDeniesNativeCodeGetsTheOptionThatAllowsIt() throws Exception {
        String advice = "start Java with --enable-native-access=ALL-UNNAMED";
        assertTrue(NativeLibrary.advice(new IllegalCallerException()).startsWith(advice));
        // Later JVMs can be told to deny it; `make dist-test` has one.
        if (Runtime.version().feature() >= 24) {
            var java = JavaProcess.execute(List.of(
                    JavaProcess.java(),
                    "--illegal-native-access=deny",
                    "-cp",
                    System.getProperty("java.class.path"),
                    Mint.class.getName()));
            assertTrue(java.output().startsWith("invalid_config: "), java.output());
            assertTrue(java.output().contains("; " + advice), java.output());
        }
    }

    @Test
    void aClassThatAToolLeftOutOfTheJarIsNamed(@TempDir Path directory) throws Exception {
        String without = "io/github/leafmint/LeaseLostException.class";
        Path classes = Path.of("target/classes");
        try (Stream<Path> files = Files.walk(classes)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path copy = directory.resolve(classes.relativize(file));
                if (!copy.endsWith(without)) {
                    Files.createDirectories(copy.getParent());
                    Files.copy(file, copy);
                }
            }
        }
        String path = directory + File.pathSeparator + Path.of("target/test-classes");
        var command = new ArrayList<>(List.of(JavaProcess.java()));
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", path, Mint.class.getName()));
        var java = JavaProcess.execute(command);
        List<String> lines = java.output().lines().toList();
        assertEquals(2, lines.size(), java.output());
        for (String line : lines) {
            assertTrue(line.startsWith("invalid_config: "), line);
            assertTrue(line.contains("the class io/github/leafmint/LeaseLostException was not found: "), line);
            assertTrue(line.contains("; keep all classes of leafmint's JAR"), line);
        }
    }

    @Test
    void aPlatformWithoutLibraryGetsTheNameOfTheProperty() throws Exception {
        var java = JavaProcess.run(List.of("-Dos.arch=riscv64"), Mint.class);
        assertTrue(
                java.output().contains("-Dleafmint.native.path")
                        && java.output().contains("riscv64"),
                java.output());
    }

    @Test
    void windowsIsSaidToBeUnsupportedWithWhatToDo() throws Exception {
        var java = JavaProcess.run(List.of("-Dos.name=Windows 11"), Mint.class);
        assertTrue(java.output().contains("does not support Windows: run the application in WSL 2"), java.output());
    }

    @Test
    void aMissingTempDirectoryGetsTheNameOfTheProperty() throws Exception {
        var java = JavaProcess.run(List.of("-Djava.io.tmpdir=/no/such/directory"), Mint.class);
        assertTrue(
                java.output().contains("java.io.tmpdir=/no/such/directory: there is no such directory; create it, "),
                java.output());
        assertTrue(java.output().contains("-Dleafmint.native.path"), java.output());
    }

    @Test
    void aTempDirectoryThatTakesNoFileGetsTheNameOfTheProperty() throws Exception {
        var java = JavaProcess.run(List.of("-Djava.io.tmpdir=/proc"), Mint.class);
        assertTrue(java.output().contains("java.io.tmpdir=/proc: no file can be created there: "), java.output());
        assertTrue(java.output().contains("-Dleafmint.native.path"), java.output());
    }

    /** Such a user could rename the library between its writing and its loading. */
    @Test
    void aTempDirectoryInWhichEveryUserMayRenameFilesIsRefusedByName(@TempDir Path directory) throws Exception {
        Path open = Files.createDirectory(directory.resolve("open"));
        Path below = Files.createDirectory(open.resolve("below"));
        setMode(open, "777");
        for (Path named : List.of(open, below)) {
            String output = mintIn(named, Map.of());
            assertTrue(output.startsWith("invalid_config: "), output);
            assertTrue(output.contains("java.io.tmpdir=" + named + ": every user of this host"), output);
            assertTrue(output.contains("in " + open + " (mode 777)"), output);
            assertTrue(output.contains("run chmod +t " + open + ","), output);
            assertEquals("id 1\nid 2\n", mintIn(named, Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")));
        }
        for (String mode : List.of("1777", "1770", "700")) {
            setMode(open, mode);
            assertEquals("id 1\nid 2\n", mintIn(below, Map.of()));
        }
        try (Stream<Path> left = Files.list(below)) {
            assertEquals(0, left.count());
        }
    }

    @Test
    void aTempDirectoryOfAnotherUserOrGroupIsRefusedByName(@TempDir Path directory) throws Exception {
        Path theirs = Files.createDirectory(directory.resolve("theirs"));
        Path below = Files.createDirectory(theirs.resolve("below"));
        for (var owner : List.of("65534:0", "0:65534")) {
            setMode(theirs, "775");
            var change = JavaProcess.execute(List.of("chown", owner, theirs.toString()));
            assumeTrue(change.status() == 0, "needs root");
            for (Path named : List.of(theirs, below)) {
                String output = mintIn(named, Map.of());
                assertTrue(output.startsWith("invalid_config: "), output);
                String who = owner.startsWith("0") ? "each member of group 65534 may" : "user 65534 owns " + theirs;
                assertTrue(output.contains("java.io.tmpdir=" + named + ": " + who), output);
                assertTrue(output.contains("-Dleafmint.native.path"), output);
            }
        }
        setMode(theirs, "755");
        assertEquals("id 1\nid 2\n", mintIn(below, Map.of()));
        try (Stream<Path> left = Files.list(below)) {
            assertEquals(0, left.count());
        }
    }

    private static void setMode(Path directory, String mode) throws Exception {
        assertEquals(
                0,
                JavaProcess.execute(List.of("chmod", mode, directory.toString()))
                        .status());
    }

    private static String mintIn(Path directory, Map<String, String> environment) throws Exception {
        var command = new ArrayList<>(List.of("env"));
        environment.forEach((name, value) -> command.add(name + "=" + value));
        command.addAll(List.of(JavaProcess.java(), "-Djava.io.tmpdir=" + directory));
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Mint.class.getName()));
        return JavaProcess.execute(command).output();
    }

    @Test
    void aTempDirectoryWithoutExecutionGetsTheNameOfTheProperty(@TempDir Path directory) throws Exception {
        // A small file system that only this process sees.
        String script = "mount -t tmpfs -o noexec,size=32m none " + directory + " && exec \"$@\"";
        var command = new ArrayList<>(List.of("unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh"));
        command.addAll(List.of(JavaProcess.java(), "-Djava.io.tmpdir=" + directory));
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Mint.class.getName()));
        var java = JavaProcess.execute(command);
        List<String> lines = java.output().lines().toList();
        assertEquals(2, lines.size(), java.output());
        for (String line : lines) {
            assertTrue(line.startsWith("invalid_config: ") && line.contains("-Dleafmint.native.path"), line);
            assertTrue(line.contains("on a file system that allows execution"), line);
        }
    }

    @Test
    void theUnpackedLibraryIsAccessibleToItsUserOnlyWhateverTheUmask() throws Exception {
        var command = new ArrayList<>(List.of("sh", "-c", "umask 000 && exec \"$@\"", "sh", JavaProcess.java()));
        command.addAll(JavaProcess.usualOptions());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Unpack.class.getName()));
        assertEquals("rwx------ code\n", JavaProcess.execute(command).output());
    }

    @Test
    void twoClassLoadersMintDistinctIdsFromOneSqliteFile(@TempDir Path directory) throws Exception {
        URL[] classes = {Path.of("target/classes").toUri().toURL()};
        String url = "sqlite:///" + directory.resolve("ids.db")
                + "?default_step=10&max_step=10&timeout=60s&connect_timeout=30s";
        var threads = Executors.newFixedThreadPool(4);
        try (var first = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader());
                var second = new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            var minting = new ArrayList<Future<long[]>>();
            for (var loader : List.of(first, second, first, second)) {
                Class<?> type = loader.loadClass("io.github.leafmint.SegmentGenerator");
                minting.add(threads.submit(() -> mintOverAndOver(type, url)));
            }
            var ids = new HashSet<Long>();
            for (var minted : minting) {
                for (long id : minted.get()) {
                    assertTrue(ids.add(id), () -> id + " is there twice");
                }
            }
            assertEquals(4 * 20 * 25, ids.size());
        } finally {
            threads.shutdownNow();
        }
    }

    /** Mints with twenty generators in turn. */
    private static long[] mintOverAndOver(Class<?> type, String url) throws Exception {
        var ids = LongStream.builder();
        for (int turn = 0; turn < 20; turn++) {
            try (var generator =
                    (AutoCloseable) type.getMethod("open", String.class).invoke(null, url)) {
                Object tag = type.getMethod("tag", String.class).invoke(generator, "order");
                var nextIds = tag.getClass().getMethod("nextIds", long.class);
                Arrays.stream((long[]) nextIds.invoke(tag, 25L)).forEach(ids);
            }
        }
        return ids.build().toArray();
    }

    @Test
    void twoClassLoadersLoadACopyEach() throws Exception {
        var classes = new ArrayList<URL>();
        classes.add(Path.of("target/classes").toUri().toURL());
        try (var first = new URLClassLoader(classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
                var second = new URLClassLoader(classes.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            Class<?> one = first.loadClass("io.github.leafmint.SegmentGenerator");
            Class<?> two = second.loadClass("io.github.leafmint.SegmentGenerator");
            assertNotSame(one, two);
            for (Class<?> type : List.of(one, two)) {
                try (var ids =
                        (AutoCloseable) type.getMethod("open", String.class).invoke(null, "memory:")) {
                    Object tag = type.getMethod("tag", String.class).invoke(ids, "order");
                    assertEquals(1L, tag.getClass().getMethod("nextId").invoke(tag), "a copy of the library each");
                }
            }
        }
    }
}
