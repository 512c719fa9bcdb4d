package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.google.gson.JsonElement;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Arrays;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class LeafmintExceptionTest {
    @Test
    void everyExceptionSerializes() throws Exception {
        for (Class<?> type : LeafmintException.class.getPermittedSubclasses()) {
            var error = (LeafmintException) type.getConstructor(String.class).newInstance("why");
            var bytes = new ByteArrayOutputStream();
            new ObjectOutputStream(bytes).writeObject(error);
            var copy = (LeafmintException)
                    new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray())).readObject();
            assertEquals(type, copy.getClass());
            assertEquals(error.code(), copy.code());
            assertEquals(error.retryable(), copy.retryable());
            assertEquals("why", copy.getMessage());
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
        var classes = Arrays.stream(LeafmintException.class.getPermittedSubclasses())
                .map(Class::getSimpleName)
                .collect(Collectors.toCollection(TreeSet::new));
        assertEquals(inVectors, classes);
    }
}
