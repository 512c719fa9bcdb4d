package io.github.leafmint.jackson3;

import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.ser.std.StdSerializer;

/** Writes as strings the ids of types that Jackson 3 writes as numbers whatever their format is. */
final class IdWriter extends StdSerializer<Object> {
    private static final Set<Class<?>> TYPES = Set.of(long[].class, AtomicLong.class, OptionalLong.class);

    IdWriter() {
        super(Object.class);
    }

    /** Leaves other types to Jackson, which knows the format. */
    @Override
    public @Nullable ValueSerializer<?> createContextual(SerializationContext provider, BeanProperty property) {
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
    public void serialize(Object value, JsonGenerator generator, SerializationContext provider) {
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

    private static void writeOptional(OptionalLong id, JsonGenerator generator) {
        if (id.isPresent()) {
            generator.writeString(Long.toString(id.getAsLong()));
        } else {
            generator.writeNull();
        }
    }
}
