package io.github.leafmint.shardingsphere;

import java.util.HashSet;
import java.util.Properties;
import java.util.Set;
import java.util.function.BiConsumer;

/** Passes the properties of a key generator on as options of leafmint. */
final class GeneratorProperties {
    static final String URL = "url";

    private GeneratorProperties() {}

    /**
     * Passes every property that is not the algorithm's own, under leafmint's name of the option: {@code max-step} and
     * {@code max_step} are the same. leafmint refuses those that it does not know.
     */
    static void pass(Properties properties, Set<String> own, BiConsumer<String, String> option) {
        var names = new HashSet<String>();
        properties.keySet().forEach(name -> names.add(name.toString()));
        names.removeAll(own);
        for (String name : names) {
            option.accept(name.replace('-', '_'), String.valueOf(properties.get(name)));
        }
    }
}
