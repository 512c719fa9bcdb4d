package io.github.leafmint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a main class of the tests in a JVM of its own. */
public record JavaProcess(int status, String output) {
    public static JavaProcess run(List<String> options, Class<?> main, String... arguments) throws Exception {
        var command = new ArrayList<String>();
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        // These options come later, because the last of two class paths counts.
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** Runs a JVM with these options only. */
    public static JavaProcess run(List<String> options) throws Exception {
        var command = new ArrayList<String>();
        command.add(java());
        command.addAll(usualOptions());
        command.addAll(options);
        return execute(command);
    }

    /** Returns the options of the tests' own JVM, and one that keeps later JVMs from printing a warning. */
    public static List<String> usualOptions() {
        Stream<String> ours =
                Arrays.stream(System.getProperty("leafmint.tests.jvm", "").split(" "));
        Stream<String> later =
                Runtime.version().feature() >= 24 ? Stream.of("--enable-native-access=ALL-UNNAMED") : Stream.empty();
        return Stream.concat(ours, later).filter(option -> !option.isEmpty()).toList();
    }

    public static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Runs a command and returns its status and output. */
    public static JavaProcess execute(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the process hangs; its output: " + output);
        }
        return new JavaProcess(process.exitValue(), output);
    }
}
