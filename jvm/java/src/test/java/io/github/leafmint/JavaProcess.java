package io.github.leafmint;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs a main class of the tests in a virtual machine of its own. */
record JavaProcess(int status, String output) {
    static JavaProcess run(List<String> options, Class<?> main, String... arguments) throws Exception {
        var command = new ArrayList<String>();
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        // Of two class paths the last one counts.
        command.addAll(options);
        command.add(main.getName());
        command.addAll(List.of(arguments));
        return run(command);
    }

    /** Runs a virtual machine that is told everything by options. */
    static JavaProcess run(List<String> options) throws Exception {
        var command = new ArrayList<String>();
        command.add(java());
        command.addAll(nativeAccess());
        command.addAll(options);
        return execute(command);
    }

    /** Returns the option without which a later virtual machine warns on the output that the tests read. */
    static List<String> nativeAccess() {
        return Runtime.version().feature() >= 24 ? List.of("--enable-native-access=ALL-UNNAMED") : List.of();
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Runs a command and returns what it said. */
    static JavaProcess execute(List<String> command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("the process hangs; it said: " + output);
        }
        return new JavaProcess(process.exitValue(), output);
    }
}
