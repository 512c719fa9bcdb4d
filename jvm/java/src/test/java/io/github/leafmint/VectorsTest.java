package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class VectorsTest {
    @Test
    void everyKindOfErrorHasItsClassCodeAndRetryability() throws Exception {
        var inVectors = new TreeSet<String>();
        for (JsonElement element : Vectors.read("errors.json").getAsJsonArray()) {
            var expected = element.getAsJsonObject();
            String name = expected.get("java").getAsString();
            inVectors.add(name);
            var error = (LeafmintException) Class.forName("io.github.leafmint." + name)
                    .getConstructor(String.class)
                    .newInstance("why");
            assertEquals(expected.get("code").getAsString(), error.code());
            assertEquals(expected.get("retryable").getAsBoolean(), error.retryable(), name);
            assertEquals("why", error.getMessage());
        }
        var classes = Arrays.stream(LeafmintException.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(inVectors, classes);
    }

    @Test
    void theOptionsAreThoseOfTheVectors() throws Exception {
        assertEquals(options("options.json"), Leafmint.options());
        assertEquals(options("snowflake_options.json"), Leafmint.snowflakeOptions());
    }

    private static List<OptionSpec> options(String name) throws Exception {
        var options = new ArrayList<OptionSpec>();
        for (JsonElement element : Vectors.read(name).getAsJsonArray()) {
            var option = element.getAsJsonObject();
            options.add(new OptionSpec(
                    option.get("name").getAsString(),
                    option.get("shape").getAsString(),
                    option.get("default").getAsString(),
                    option.get("meaning").getAsString()));
        }
        return options;
    }

    @Test
    void theBuildersHaveAMethodForEveryOption() {
        assertEquals(names(Leafmint.options()), methods(SegmentGeneratorBuilder.class));
        assertEquals(names(Leafmint.snowflakeOptions()), methods(SnowflakeGeneratorBuilder.class));
    }

    private static TreeSet<String> names(List<OptionSpec> options) {
        return options.stream().map(option -> camelCase(option.name())).collect(Collectors.toCollection(TreeSet::new));
    }

    private static TreeSet<String> methods(Class<?> builder) {
        var methods = Arrays.stream(builder.getMethods())
                .filter(method -> GeneratorBuilder.class.isAssignableFrom(method.getReturnType()))
                .map(method -> method.getName())
                .collect(Collectors.toCollection(TreeSet::new));
        assertTrue(methods.remove("option"));
        return methods;
    }

    @Test
    void theFiguresAreThoseOfTheVectors() throws Exception {
        assertEquals(figures("tag"), components(TagStats.class));
        assertEquals(figures("tag").size(), TagStats.NUMBERS + 1);
        assertEquals(figures("snowflake"), components(SnowflakeStats.class));
    }

    private static List<String> figures(String of) throws Exception {
        var figures = new ArrayList<String>();
        for (JsonElement name : Vectors.read("stats.json").getAsJsonObject().getAsJsonArray(of)) {
            figures.add(camelCase(name.getAsString()));
        }
        return figures;
    }

    private static List<String> components(Class<?> record) {
        return Arrays.stream(record.getRecordComponents())
                .map(RecordComponent::getName)
                .toList();
    }

    @Test
    void segmentsAreCutAsLeafCutsThem() throws Exception {
        for (JsonElement element :
                Vectors.read("segments.json").getAsJsonObject().get("cases").getAsJsonArray()) {
            var segment = element.getAsJsonObject();
            long start = segment.get("max_id").getAsLong();
            long step = segment.get("step").getAsLong();
            String store = "memory://segments-" + start + "-" + step;
            try (var ids = SegmentGenerator.builder(store).maxStep(step).open()) {
                assertTrue(ids.createTag("order", step, start, "a case of the vectors"));
                assertEquals(
                        segment.get("ids").getAsJsonArray().get(0).getAsLong(),
                        ids.bizTag("order").nextId());
                if (step <= 1 << 21) {
                    assertEquals(
                            segment.get("ids").getAsJsonArray().get(1).getAsLong(),
                            lastOf(ids.bizTag("order"), start, step));
                }
            }
            if (step <= 1 << 21) {
                try (var ids = SegmentGenerator.open(store)) {
                    assertEquals(
                            segment.get("max_id_after").getAsLong(),
                            ids.bizTag("order").nextId());
                }
            }
        }
    }

    /** Takes what is left of a segment whose first id is gone. */
    private static long lastOf(BizTag tag, long start, long step) {
        long last = start;
        for (long left = step - 1; left > 0; ) {
            long[] some = tag.nextIds(Math.min(left, 1 << 20));
            left -= some.length;
            last = some[some.length - 1];
        }
        return last;
    }

    private static String camelCase(String name) {
        return Pattern.compile("_(.)").matcher(name).replaceAll(match -> match.group(1)
                .toUpperCase());
    }
}
