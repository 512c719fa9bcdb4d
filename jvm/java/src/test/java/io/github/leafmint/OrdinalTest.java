package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Worker ids from the ordinal of a StatefulSet's pod, as all languages read them. */
class OrdinalTest {
    /** Opens what the vectors say, in a process that has their environment variables. */
    static final class OpenAll {
        public static void main(String[] arguments) throws Exception {
            String namespace = "java-" + ProcessHandle.current().pid();
            for (JsonObject expected : Vectors.cases("ordinals.json", "accepted")) {
                SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder(url(expected))
                        .namespace(namespace)
                        .stateDir(arguments[0] + "/" + expected.get("env").getAsString());
                assertEquals(expected.get("worker_id").getAsLong(), workerId(builder), expected::toString);
            }
            for (JsonObject expected : Vectors.cases("ordinals.json", "refused")) {
                Vectors.refused(expected, () -> SnowflakeGenerator.open(url(expected)));
            }
            SnowflakeGeneratorBuilder builder = SnowflakeGenerator.builder("local:" + arguments[0] + "/workers")
                    .workers("ordinal")
                    .ordinalEnv("LEAFMINT_ORDINAL_1")
                    .ordinalOffset(100);
            assertEquals(112, workerId(builder));
            System.out.println("> all");
        }

        private static String url(JsonObject expected) {
            return expected.get("url").getAsString();
        }

        private static long workerId(SnowflakeGeneratorBuilder builder) {
            try (SnowflakeGenerator flakes = builder.open()) {
                return flakes.decode(flakes.nextId()).workerId();
            }
        }
    }

    @Test
    void anOrdinalIsTheWorkerIdOrANamedError(@TempDir Path folder) throws Exception {
        var command = new ArrayList<>(List.of("env"));
        Stream.of("accepted", "refused").flatMap(OrdinalTest::cases).forEach(expected -> {
            if (!expected.get("value").isJsonNull()) {
                command.add(expected.get("env").getAsString() + "="
                        + expected.get("value").getAsString());
            }
        });
        command.add(JavaProcess.java());
        command.addAll(JavaProcess.usualOptions());
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), OpenAll.class.getName(), folder.toString()));
        JavaProcess java = JavaProcess.execute(command);
        assertEquals(
                List.of("> all"),
                java.output().lines().filter(line -> line.startsWith("> ")).toList(),
                java.output());
    }

    private static Stream<JsonObject> cases(String list) {
        try {
            return Vectors.cases("ordinals.json", list).stream();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
