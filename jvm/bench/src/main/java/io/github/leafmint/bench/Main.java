package io.github.leafmint.bench;

import io.github.leafmint.bench.Comparison.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Measures every subject once per round, each time in a JVM of its own, so that a slow minute of the machine affects
 * all subjects of a round alike.
 *
 * <p>{@code java -jar benchmarks.jar FILE ROUNDS MILLISECONDS [brief]} writes a line of JSON per subject to FILE; an
 * iteration takes MILLISECONDS, and there are two to warm up and two that count. For JMH's own options run the main
 * class {@code org.openjdk.jmh.Main} of the same JAR.
 */
public final class Main {
    private Main() {}

    private record Key(Comparison comparison, Subject subject) {}

    public static void main(String[] arguments) throws Exception {
        int rounds = Integer.parseInt(arguments[1]);
        var iteration = TimeValue.milliseconds(Long.parseLong(arguments[2]));
        boolean brief = arguments.length > 3 && arguments[3].equals("brief");
        List<Comparison> comparisons = brief ? Comparison.BRIEF : Comparison.ALL;
        Map<Key, List<Double>> nanos = new LinkedHashMap<>();
        for (Comparison comparison : comparisons) {
            comparison.subjects().forEach(subject -> nanos.put(new Key(comparison, subject), new ArrayList<>()));
        }
        for (int round = 0; round < rounds; round++) {
            System.err.printf("Java %s, round %d of %d%n", System.getProperty("java.version"), round + 1, rounds);
            for (Comparison comparison : comparisons) {
                // Each subject comes first in some rounds; what it follows may leave the machine warm or cold.
                var turns = new ArrayList<>(comparison.subjects());
                Collections.rotate(turns, round);
                for (Subject subject : turns) {
                    nanos.get(new Key(comparison, subject)).add(run(comparison, subject, iteration));
                }
            }
        }
        var lines = nanos.entrySet().stream()
                .map(entry -> measurement(entry.getKey(), entry.getValue()).json());
        Files.write(Path.of(arguments[0]), (Iterable<String>) lines::iterator);
    }

    /** Returns the figure of the times per id and thread, in nanoseconds. */
    private static double run(Comparison comparison, Subject subject, TimeValue iteration) throws RunnerException {
        var options = new OptionsBuilder()
                .include(comparison.include(subject))
                .mode(comparison.figure().mode)
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(comparison.threads())
                .forks(1)
                .warmupIterations(2)
                .warmupTime(iteration)
                .measurementIterations(2)
                .measurementTime(iteration)
                .jvmArgsAppend(comparison.jvmArguments().toArray(String[]::new))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        var times = new Runner(options).runSingle().getPrimaryResult().getStatistics();
        return comparison.figure().of.applyAsDouble(times);
    }

    private static Measurement measurement(Key key, List<Double> nanos) {
        Subject subject = key.subject();
        Comparison comparison = key.comparison();
        return new Measurement(
                comparison.group(), comparison.threads(), subject.name(), subject.role(), "ns", subject.how(), nanos);
    }
}
