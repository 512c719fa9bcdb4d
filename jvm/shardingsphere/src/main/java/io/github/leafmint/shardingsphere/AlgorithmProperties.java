package io.github.leafmint.shardingsphere;

import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.function.Function;
import org.apache.shardingsphere.infra.algorithm.core.ShardingSphereAlgorithm;
import org.apache.shardingsphere.infra.algorithm.core.exception.AlgorithmInitializationException;

/** Reads the properties of one algorithm, and reports what is wrong with them. */
final class AlgorithmProperties {
    /** The property of a key generator that names its store or holder. */
    static final String URL = "url";

    private final ShardingSphereAlgorithm algorithm;
    private final Properties properties;

    AlgorithmProperties(ShardingSphereAlgorithm algorithm, Properties properties) {
        this.algorithm = algorithm;
        this.properties = properties;
    }

    /** Refuses properties with other names, which are most likely misspelt. */
    AlgorithmProperties only(Set<String> known) {
        var unknown = new TreeSet<String>();
        for (Object name : properties.keySet()) {
            if (!known.contains(name.toString())) {
                unknown.add(name.toString());
            }
        }
        if (!unknown.isEmpty()) {
            throw invalid("unknown properties " + unknown + "; known are " + new TreeSet<>(known));
        }
        return this;
    }

    /**
     * Passes every property that is not the algorithm's own, under leafmint's name of the option: {@code max-step} and
     * {@code max_step} are the same. leafmint refuses those that it does not know.
     */
    void passOptions(Set<String> own, BiConsumer<String, String> option) {
        var names = new HashSet<String>();
        properties.keySet().forEach(name -> names.add(name.toString()));
        names.removeAll(own);
        for (String name : names) {
            option.accept(name.replace('-', '_'), String.valueOf(properties.get(name)));
        }
    }

    boolean has(String name) {
        return !text(name, "").isEmpty();
    }

    String text(String name) {
        String value = text(name, "");
        if (value.isEmpty()) {
            throw invalid("property \"" + name + "\" is missing");
        }
        return value;
    }

    /** YAML may have made a number of the value. */
    String text(String name, String otherwise) {
        Object value = properties.get(name);
        return value == null ? otherwise : value.toString();
    }

    int count(String name, int least, int most) {
        int value = parsed(name, Integer::parseInt);
        if (value < least || value > most) {
            throw invalid("property \"" + name + "\" is " + value + ", but must be from " + least + " to " + most);
        }
        return value;
    }

    /** Parses the value of a property. */
    <T> T parsed(String name, Function<String, T> parse) {
        return parsed(name, text(name), parse);
    }

    /** Parses the value of a property that may be missing. */
    <T> T parsed(String name, String otherwise, Function<String, T> parse) {
        String value = text(name, otherwise);
        try {
            return parse.apply(value);
        } catch (RuntimeException unusable) {
            throw invalid("property \"" + name + "\" is \"" + value + "\": " + unusable.getMessage());
        }
    }

    AlgorithmInitializationException invalid(String problem) {
        // The message is a format.
        return new AlgorithmInitializationException(algorithm, problem.replace("%", "%%"));
    }
}
