package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.leafmint.internal.natives.LimitCell;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ShortageTest {
    private static final String SHORT = "> store_unavailable: Too many open files (os error 24)";

    /** Uses up the descriptors of its process, makes its first calls, frees the descriptors and calls again. */
    static final class MintWithoutDescriptors {
        public static void main(String[] arguments) throws IOException {
            var flakes = SnowflakeGenerator.open("local:" + arguments[0] + "/workers");
            var ids = SegmentGenerator.open("sqlite:///" + arguments[0] + "/ids.db");
            Tag order = ids.tag("order");
            // The JVM itself needs a descriptor to load a class.
            load(LimitCell.class, StoreUnavailableException.class);
            var files = new ArrayList<FileInputStream>();
            try {
                while (true) {
                    files.add(new FileInputStream("/dev/null"));
                }
            } catch (IOException noneLeft) {
                print(flakes);
                print(order);
                print(flakes);
            }
            for (FileInputStream file : files) {
                file.close();
            }
            print(flakes);
            print(order);
        }

        private static void load(Class<?>... classes) {
            for (Class<?> each : classes) {
                print(() -> each.getName().length());
            }
        }

        private static void print(LongSupplier generator) {
            try {
                System.out.println("> " + Long.signum(generator.getAsLong()));
            } catch (LeafmintException failure) {
                String message = failure.getMessage();
                int cause = message.indexOf("Too many");
                System.out.println(
                        "> " + failure.code() + ": " + message.substring(cause, message.indexOf(')', cause) + 1));
            }
        }
    }

    @Test
    void aShortageOfDescriptorsIsReportedAndTheNextCallWorksOnceItIsOver(@TempDir Path folder) throws Exception {
        var command =
                new ArrayList<String>(List.of("sh", "-c", "ulimit -n 256 && exec \"$@\"", "sh", JavaProcess.java()));
        // Without this option the JVM would raise the limit again.
        command.addAll(List.of("-XX:-MaxFDLimit", "-cp", System.getProperty("java.class.path")));
        if (Runtime.version().feature() >= 24) {
            command.add("--enable-native-access=ALL-UNNAMED");
        }
        command.addAll(List.of(MintWithoutDescriptors.class.getName(), folder.toString()));
        JavaProcess minting = JavaProcess.execute(command);
        // A logging library may print its own shortage in between.
        List<String> printed =
                minting.output().lines().filter(line -> line.startsWith("> ")).collect(Collectors.toList());
        assertEquals(List.of("> 1", "> 1", SHORT, SHORT, SHORT, "> 1", "> 1"), printed, minting.output());
        assertEquals(0, minting.status());
    }
}
