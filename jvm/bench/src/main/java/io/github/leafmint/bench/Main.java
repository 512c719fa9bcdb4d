package io.github.leafmint.bench;

import java.util.ArrayList;
import java.util.Collection;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.OptionsBuilder;

public final class Main {
    public static void main(String[] arguments) throws Exception {
        Collection<RunResult> r = new Runner(new OptionsBuilder().include(arguments.length>0?arguments[0]:".*").mode(org.openjdk.jmh.annotations.Mode.AverageTime).timeUnit(java.util.concurrent.TimeUnit.NANOSECONDS).forks(1).warmupIterations(3).measurementIterations(4).warmupTime(org.openjdk.jmh.runner.options.TimeValue.milliseconds(500)).measurementTime(org.openjdk.jmh.runner.options.TimeValue.milliseconds(500)).threads(Integer.getInteger("t",1)).build()).run();
    }
}
