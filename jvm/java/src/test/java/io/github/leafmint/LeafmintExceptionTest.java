package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonElement;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.time.Duration;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LeafmintExceptionTest {
    @Test
    void everyExceptionSerializes() throws Exception {
        for (Class<?> type : kinds()) {
            var error = (LeafmintException) type.getConstructor(String.class).newInstance("why");
            LeafmintException.explain(
                    error, new String[] {"denied", "1142"}, new String[] {"table"}, new IOException());
            var bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(error);
            var copy = (LeafmintException)
                    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            assertEquals(type, copy.getClass());
            assertEquals(error.code(), copy.code());
            assertEquals(error.retryable(), copy.retryable());
            assertEquals("why", copy.getMessage());
            assertEquals("denied", copy.reason());
            assertEquals("1142", copy.serverCode());
            assertEquals(List.of("table"), copy.options());
            assertInstanceOf(IOException.class, copy.getCause());
        }
    }

    @Test
    void anErrorOfOptionsNamesThem() {
        var builder =
                SegmentGenerator.builder("memory:").option("max_step", "0").option("timeout", "soon");
        var refused = assertThrows(InvalidConfigException.class, builder::open);
        assertEquals(List.of("timeout", "max_step"), refused.options());
        assertNull(refused.reason());
        var unserved = assertThrows(InvalidConfigException.class, () -> SegmentGenerator.open("oracle://host/db"));
        assertEquals("unserved_url", unserved.reason());
        assertEquals(List.of(), unserved.options());
    }

    @Test
    void theErrorsBehindOneAreItsCauses() {
        try (var ids = SegmentGenerator.builder("mysql://127.0.0.1:1/none")
                .timeout(Duration.ofMillis(100))
                .open()) {
            Tag order = ids.tag("order");
            var failed = assertThrows(SegmentUnavailableException.class, order::nextId);
            var store = assertInstanceOf(StoreUnavailableException.class, failed.getCause());
            var system = assertInstanceOf(IOException.class, store.getCause());
            assertTrue(system.getMessage().contains("refused"), system.getMessage());
            assertNull(failed.serverCode());
        }
    }

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
        var classes = kinds().stream().map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new));
        assertEquals(inVectors, classes);
    }

    private static List<Class<?>> kinds() throws Exception {
        return PackagesTest.publicTypes().stream()
                .filter(type -> type.getSuperclass() == LeafmintException.class)
                .toList();
    }
}
