package io.github.leafmint.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.std.StdSerializer;
import java.io.IOException;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Writes as strings the ids of types that Jackson 2 writes as numbers whatever their format is. */
final class IdWriter extends StdSerializer<Object> implements ContextualSerializer {
    private static final long serialVersionUID = 1L;
    private static final Set<Class<?>> TYPES = Set.of(long[].class, AtomicLong.class, OptionalLong.class);

    IdWriter() {
        super(Object.class);
    }

    /** Leaves other types to Jackson, which knows the format. */
    @Override
    public @Nullable JsonSerializer<?> createContextual(SerializerProvider provider, BeanProperty property)
            throws JsonMappingException {
        JavaType type = property.getType();
        if (TYPES.contains(type.getRawClass())) {
            return this;
        }
        if (hides(type)) {
            provider.reportBadDefinition(
                    type,
                    "@IdAsString does not reach the ids in " + type.toCanonical() + ": use Long for its elements");
        }
        return null;
    }

    /** Returns whether a type contains one of ours, which Jackson would write as numbers. */
    private static boolean hides(@Nullable JavaType type) {
        if (type == null) {
            return false;
        }
        boolean hides = TYPES.contains(type.getRawClass()) || hides(type.getContentType()) || hides(type.getKeyType());
        for (int index = 0; index < type.containedTypeCount(); index++) {
            hides |= hides(type.containedType(index));
        }
        return hides;
    }

    @Override
    public void serialize(Object value, JsonGenerator generator, SerializerProvider provider) throws IOException {
        if (value instanceof long[] ids) {
            generator.writeStartArray();
            for (long id : ids) {
                generator.writeString(Long.toString(id));
            }
            generator.writeEndArray();
        } else if (value instanceof OptionalLong id) {
            writeOptional(id, generator);
        } else {
            generator.writeString(value.toString());
        }
    }

    private static void writeOptional(OptionalLong id, JsonGenerator generator) throws IOException {
        if (id.isPresent()) {
            generator.writeString(Long.toString(id.getAsLong()));
        } else {
            generator.writeNull();
        }
    }
}
