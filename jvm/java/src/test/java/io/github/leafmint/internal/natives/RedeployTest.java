package io.github.leafmint.internal.natives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.leafmint.ClosedException;
import io.github.leafmint.Credentials;
import io.github.leafmint.IdFormat;
import io.github.leafmint.IdOrder;
import io.github.leafmint.JavaProcess;
import io.github.leafmint.Layout;
import io.github.leafmint.Rounds;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SeriesPeriod;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import io.github.leafmint.TagOptions;
import io.github.leafmint.sharding.ShardRule;
import java.io.IOException;
import java.lang.ref.WeakReference;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A server that loads an application with its own leafmint repeatedly, each time in a new class loader. */
@Timeout(300)
class RedeployTest {
    /** The application: keeps everything in static fields, and closes its generators. */
    public static final class Application {
        private static SegmentGenerator ids;
        private static SnowflakeGenerator flakes;
        private static Tag order;
        private static Tag relaxed;
        private static Layout layout;
        private static ShardRule rule;
        private static IdFormat format;
        private static Series series;

        private Application() {}

        public static String run(String directory) throws Exception {
            ids = SegmentGenerator.open("sqlite:///" + directory + "/ids.db");
            flakes = SnowflakeGenerator.open("local:" + directory + "/workers");
            order = ids.tag("order");
            relaxed = ids.tag("relaxed", new TagOptions().order(IdOrder.RELAXED));
            layout = Layout.of("leaf");
            rule = ShardRule.of("10", 16);
            format = IdFormat.of("{number:6}-{check:damm}");
            series = ids.series("member")
                    .period(SeriesPeriod.FOREVER)
                    .format(format)
                    .open();
            String minted = order.nextIdAsync().thenApply(id -> id).join() + " "
                    + layout.decode(flakes.nextId()).workerId() + " "
                    + rule.parse(rule.mint(relaxed, "user")).table() + " "
                    + (series.next().text().length() - 8);
            var rotating = SegmentGenerator.builder("mysql://127.0.0.1:1/db")
                    .credentials(() -> new Credentials("shop", directory))
                    .open();
            rotating.tag("order").tryNextId(); // asks in the background
            rotating.close();
            var lent = SegmentGenerator.open(unreachable());
            lent.tag("order").tryNextId();
            lent.close();
            ids.close();
            flakes.close();
            try {
                order.nextId();
            } catch (ClosedException closed) {
                return minted.endsWith(" 0 11 0") ? "good" : minted;
            }
            return "not closed";
        }
    }

    /** An application that forgets its generators: it keeps and closes none of them, and the exit closes none. */
    public static final class Careless {
        private Careless() {}

        public static String run(String directory) {
            String file = directory + "/" + System.nanoTime() + ".db"; // SQLite keeps descriptors of a shared one
            SegmentGenerator.open("sqlite:///" + file + "?close_at_exit=false")
                    .tag("order")
                    .nextId();
            SnowflakeGenerator.open("local:" + directory + "/workers?close_at_exit=false")
                    .nextId();
            SegmentGenerator.builder("mysql://127.0.0.1:1/db?close_at_exit=false")
                    .credentials(() -> new Credentials("shop", directory))
                    .open()
                    .tag("order")
                    .nextIdAsync(Duration.ofMillis(500)); // still waits when the class loader is closed
            SegmentGenerator.builder(unreachable())
                    .closeAtExit(false)
                    .open()
                    .tag("order")
                    .nextIdAsync(Duration.ofMillis(500));
            return "good";
        }
    }

    /** A data source of the application. */
    private static DataSource unreachable() {
        return (DataSource) Proxy.newProxyInstance(
                RedeployTest.class.getClassLoader(), new Class<?>[] {DataSource.class}, (self, method, arguments) -> {
                    throw new SQLException("there is no server", "08001");
                });
    }

    /** Deploys and undeploys an application, and prints what remains. */
    static final class Server {
        public static void main(String[] arguments) throws Exception {
            var loaders = new ArrayList<WeakReference<ClassLoader>>();
            deploy(arguments[0], arguments[1], loaders, 1);
            settle(loaders, Long.MAX_VALUE);
            long descriptors = descriptors();
            deploy(arguments[0], arguments[1], loaders, Integer.parseInt(arguments[2]));
            settle(loaders, descriptors);
            System.out.println("class loaders "
                    + loaders.stream().filter(loader -> loader.get() != null).count());
            System.out.println("threads " + threads());
            System.out.println("descriptors " + Math.max(0, descriptors() - descriptors));
        }

        private static void deploy(
                String application, String directory, List<WeakReference<ClassLoader>> loaders, int times)
                throws Exception {
            for (int time = 0; time < times; time++) {
                var loader = newLoader();
                Object minted = loader.loadClass(application)
                        .getMethod("run", String.class)
                        .invoke(null, directory);
                if (!"good".equals(minted)) {
                    System.out.println("Error: " + minted);
                }
                loaders.add(new WeakReference<>(loader));
                loader.close();
            }
        }

        /** Waits until nothing remains, or long enough to be sure that it stays. */
        private static void settle(List<WeakReference<ClassLoader>> loaders, long descriptors) throws Exception {
            long deadline = System.nanoTime() + 40_000_000_000L;
            do {
                System.gc();
                Thread.sleep(50);
            } while (!isSettled(loaders, descriptors) && System.nanoTime() < deadline);
        }

        private static boolean isSettled(List<WeakReference<ClassLoader>> loaders, long descriptors)
                throws IOException {
            boolean areGone = loaders.stream().allMatch(loader -> loader.get() == null);
            return areGone && threads() == 0 && descriptors() <= descriptors;
        }

        /** Returns the number of leafmint threads, including those that the JVM does not know. */
        private static long threads() throws IOException {
            long threads = 0;
            try (Stream<Path> tasks = Files.list(Path.of("/proc/self/task"))) {
                for (Path task : tasks.toList()) {
                    threads += isOurs(task) ? 1 : 0;
                }
            }
            return threads;
        }

        private static boolean isOurs(Path task) throws IOException {
            try {
                String name = Files.readString(task.resolve("comm"));
                // Threads for files end some seconds after the last write.
                return name.startsWith("leafmint") && !name.startsWith("leafmint-files");
            } catch (NoSuchFileException ended) {
                return false;
            }
        }

        /**
         * Returns the number of open files and sockets, without JARs: the JDK keeps those open after a logger has
         * searched them for services.
         */
        private static long descriptors() throws IOException {
            long open = 0;
            try (Stream<Path> links = Files.list(Path.of("/proc/self/fd"))) {
                for (Path link : links.toList()) {
                    open += Files.isSymbolicLink(link) && !isJar(link) ? 1 : 0;
                }
            }
            return open;
        }

        private static boolean isJar(Path link) throws IOException {
            try {
                return Files.readSymbolicLink(link).toString().endsWith(".jar");
            } catch (NoSuchFileException closed) {
                return true;
            }
        }
    }

    static URLClassLoader newLoader() throws IOException {
        var path = new ArrayList<URL>();
        for (String entry : System.getProperty("java.class.path").split(":")) {
            path.add(Path.of(entry).toUri().toURL());
        }
        return new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    }

    @Test
    void anApplicationThatClosesItsGeneratorsLeavesNoClassLoaderBehind(@TempDir Path directory) throws Exception {
        assertNothingRemains(Application.class, directory, Rounds.of(8, 40));
    }

    /** Opens generators in a class loader, closes it, and exits. */
    static final class Exit {
        public static void main(String[] arguments) throws Exception {
            var loader = newLoader();
            loader.loadClass(Keeper.class.getName())
                    .getMethod("run", String.class)
                    .invoke(null, arguments[0]);
            loader.close();
        }
    }

    /** An application that is stopped by the exit only. */
    public static final class Keeper {
        private static SegmentGenerator ids;

        private Keeper() {}

        public static void run(String directory) {
            ids = SegmentGenerator.open("sqlite:///" + directory + "/ids.db");
            System.out.println("id " + ids.tag("order").nextId());
        }
    }

    @Test
    void theExitGivesIdsBackThoughTheClassLoaderIsClosed(@TempDir Path directory) throws Exception {
        for (int id = 1; id <= 2; id++) {
            var java = JavaProcess.run(List.of(), Exit.class, directory.toString());
            assertTrue(java.output().contains("id " + id + "\n"), java.output());
            assertFalse(java.output().contains("Exception"), java.output());
        }
    }

    /** Each class loader is closed first: what its generators still need at their end must be loaded by then. */
    @Test
    void anApplicationThatForgetsItsGeneratorsLeavesNoClassLoaderBehind(@TempDir Path directory) throws Exception {
        assertNothingRemains(Careless.class, directory, Rounds.of(8, 50));
    }

    private static void assertNothingRemains(Class<?> application, Path directory, int times) throws Exception {
        var java = JavaProcess.run(
                List.of("-Xmx128m"), Server.class, application.getName(), directory.toString(), String.valueOf(times));
        // A logger may print lines in between.
        List<String> left = java.output()
                .lines()
                .filter(line -> line.matches("(class loaders|threads|descriptors) .*|.*(Error|Exception).*"))
                .toList();
        assertEquals(List.of("class loaders 0", "threads 0", "descriptors 0"), left, java.output());
    }
}
