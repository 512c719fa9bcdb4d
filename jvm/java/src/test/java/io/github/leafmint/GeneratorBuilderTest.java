package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class GeneratorBuilderTest {
    @Test
    void theBuildersHaveAMethodForEveryOption() {
        assertEquals(names(Leafmint.options()), methods(SegmentGeneratorBuilder.class));
        assertEquals(names(Leafmint.snowflakeOptions()), methods(SnowflakeGeneratorBuilder.class));
    }

    private static TreeSet<String> names(List<OptionSpec> options) {
        return options.stream()
                .map(option -> Vectors.camelCase(option.name()))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static TreeSet<String> methods(Class<?> builder) {
        var methods = Arrays.stream(builder.getMethods())
                .filter(method -> GeneratorBuilder.class.isAssignableFrom(method.getReturnType()))
                .map(method -> method.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(methods.remove("option"));
        assertTrue(methods.remove("credentials"), "the one option that is not text");
        methods.remove("inVirtualTime");
        return methods;
    }
}
