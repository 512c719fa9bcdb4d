package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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
        private static BizTag order;
        private static BizTag relaxed;
        private static Layout layout;
        private static ShardRule rule;

        private Application() {}

        public static String run(String directory) throws Exception {
            ids = SegmentGenerator.open("sqlite:///" + directory + "/ids.db");
            flakes = SnowflakeGenerator.open("local:///" + directory + "/workers");
            order = ids.bizTag("order");
            relaxed = ids.bizTag("relaxed", Order.RELAXED);
            layout = Layout.of("leaf");
            rule = ShardRule.of("10", 16);
            String minted = order.nextIdAsync().thenApply(id -> id).join() + " "
                    + layout.decode(flakes.nextId()).workerId() + " "
                    + rule.parse(rule.mint(relaxed, "user")).table();
            var rotating = SegmentGenerator.builder("mysql://127.0.0.1:1/db")
                    .credentials(() -> new Credentials("shop", directory))
                    .open();
            rotating.bizTag("order").tryNextId(); // asks in the background
            rotating.close();
            ids.close();
            flakes.close();
            try {
                order.nextId();
            } catch (ClosedException closed) {
                return minted + " " + closed.code();
            }
            return minted;
        }
    }

    /** Deploys and undeploys, and prints what remains. */
    static final class Server {
        public static void main(String[] arguments) throws Exception {
            var loaders = new ArrayList<WeakReference<ClassLoader>>();
            deploy(arguments[0], loaders, 1);
            settle(loaders, Long.MAX_VALUE);
            long descriptors = descriptors();
            deploy(arguments[0], loaders, Integer.parseInt(arguments[1]));
            settle(loaders, descriptors);
            System.out.println("class loaders "
                    + loaders.stream().filter(loader -> loader.get() != null).count());
            System.out.println("threads " + threads());
            System.out.println("descriptors " + Math.max(0, descriptors() - descriptors));
        }

        private static void deploy(String directory, List<WeakReference<ClassLoader>> loaders, int times)
                throws Exception {
            for (int time = 0; time < times; time++) {
                var loader = newLoader();
                Class<?> application = loader.loadClass(Application.class.getName());
                Object minted = application.getMethod("run", String.class).invoke(null, directory);
                if (!String.valueOf(minted).endsWith(" 0 11 closed")) {
                    System.out.println(minted);
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
        String times = String.valueOf(Rounds.of(8, 40));
        var java = JavaProcess.run(List.of("-Xmx128m"), Server.class, directory.toString(), times);
        // A logger may print lines in between.
        List<String> left = java.output()
                .lines()
                .filter(line -> line.matches("(class loaders|threads|descriptors) .*|.*(Error|Exception).*"))
                .toList();
        assertEquals(List.of("class loaders 0", "threads 0", "descriptors 0"), left, java.output());
    }
}
