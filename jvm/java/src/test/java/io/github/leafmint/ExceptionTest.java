package io.github.leafmint;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.junit.jupiter.api.Test;

class ExceptionTest {
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
}
