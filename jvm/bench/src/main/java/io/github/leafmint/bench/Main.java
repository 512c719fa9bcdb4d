package io.github.leafmint.bench;

import io.github.leafmint.bench.Comparison.Subject;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.ListStatistics;

/**
 * Runs every comparison and prints ratios, which compare between machines, before nanoseconds, which do not.
 *
 * <p>{@code java -jar benchmarks.jar [FILE]} also writes the figures to FILE, as JSON. It takes about four minutes; the
 * system property {@code leafmint.bench.rounds} (2) makes it longer or shorter. For JMH's own options run the main
 * class {@code org.openjdk.jmh.Main} of the same JAR.
 */
public final class Main {
    private static final int ROUNDS = Integer.getInteger("leafmint.bench.rounds", 2);

    private Main() {}

    /** The time of one subject: the median over all iterations. */
    private record Figure(Comparison comparison, Subject subject, double nanos, double ratio) {
        String line() {
            String goal =
                    subject.goal() == 0 ? "" : String.format(Locale.ROOT, "  (goal: at most %.2f)", subject.goal());
            return String.format(Locale.ROOT, "%8.2f x  %-20s %9.2f ns%s", ratio, subject.method(), nanos, goal);
        }

        String json() {
            return String.format(
                    Locale.ROOT,
                    "{\"comparison\": \"%s\", \"name\": \"%s\", \"configuration\": \"%s\", "
                            + "\"threads\": %d, \"ratio\": %.4f, \"nanos\": %.4f, \"goal\": %s}",
                    comparison.title(),
                    subject.method(),
                    subject.configuration(),
                    comparison.threads(),
                    ratio,
                    nanos,
                    subject.goal() == 0 ? "null" : Double.toString(subject.goal()));
        }
    }

    public static void main(String[] arguments) throws Exception {
        // In rounds, so that a slow minute of the machine does not affect only one subject.
        var samples = new HashMap<List<Object>, ListStatistics>();
        for (int round = 1; round <= ROUNDS; round++) {
            for (Comparison comparison : Comparison.ALL) {
                for (Subject subject : comparison.subjects()) {
                    System.err.println("round " + round + ", " + comparison.title() + ": " + subject.method());
                    var all = samples.computeIfAbsent(List.of(comparison, subject), absent -> new ListStatistics());
                    run(comparison, subject).forEach(all::addValue);
                }
            }
        }
        var figures = new ArrayList<Figure>();
        for (Comparison comparison : Comparison.ALL) {
            double measure = samples.get(
                            List.of(comparison, comparison.subjects().get(0)))
                    .getPercentile(50);
            for (Subject subject : comparison.subjects()) {
                double nanos = samples.get(List.of(comparison, subject)).getPercentile(50);
                figures.add(new Figure(comparison, subject, nanos, nanos / measure));
            }
        }
        print(figures);
        if (arguments.length > 0) {
            Files.writeString(Path.of(arguments[0]), json(figures));
        }
    }

    /** Returns the time per id of each iteration, in nanoseconds. */
    private static List<Double> run(Comparison comparison, Subject subject) throws RunnerException {
        var options = new OptionsBuilder()
                .include(comparison.include(subject))
                .mode(Mode.AverageTime)
                .timeUnit(TimeUnit.NANOSECONDS)
                .threads(comparison.threads())
                .forks(1)
                .warmupIterations(2)
                .warmupTime(TimeValue.seconds(1))
                .measurementIterations(6)
                .measurementTime(TimeValue.milliseconds(500))
                .jvmArgsAppend(comparison.jvmArguments().toArray(String[]::new))
                .shouldFailOnError(true)
                .verbosity(VerboseMode.SILENT)
                .build();
        return new Runner(options)
                .runSingle().getBenchmarkResults().stream()
                        .flatMap(fork -> fork.getIterationResults().stream())
                        .map(iteration -> iteration.getPrimaryResult().getScore())
                        .toList();
    }

    private static void print(List<Figure> figures) {
        System.out.println("Java " + System.getProperty("java.version") + ", times the first line's time per id:");
        Comparison last = null;
        for (Figure figure : figures) {
            if (figure.comparison() != last) {
                last = figure.comparison();
                System.out.println("\n" + last.title());
            }
            System.out.println(figure.line() + "  " + figure.subject().configuration());
        }
    }

    private static String json(List<Figure> figures) {
        var lines = figures.stream().map(figure -> "    " + figure.json()).toList();
        return "{\n  \"language\": \"Java\",\n  \"version\": \"" + System.getProperty("java.version")
                + "\",\n  \"figures\": [\n" + String.join(",\n", lines) + "\n  ]\n}\n";
    }
}
