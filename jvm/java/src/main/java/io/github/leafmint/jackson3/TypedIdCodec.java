package io.github.leafmint.jackson3;

import io.github.leafmint.InvalidIdException;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.BeanProperty;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.ContextualKeyDeserializer;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Writes and reads typed ids with Jackson 3. Jackson makes each class here without arguments if it finds it by
 * {@link WithTypedIdCodec}.
 */
final class TypedIdCodec {
    private TypedIdCodec() {}

    /** Writes an id as a value. */
    static class Writer extends StdScalarSerializer<TypedId> {
        private final Supplier<TypedIds> ids;

        Writer() {
            this(TypedIds::getDefault);
        }

        Writer(Supplier<TypedIds> ids) {
            super(TypedId.class);
            this.ids = ids;
        }

        final String text(TypedId id) {
            return ids.get().text(id);
        }

        @Override
        public void serialize(TypedId id, JsonGenerator generator, SerializationContext context) {
            generator.writeString(text(id));
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
            visitStringFormat(visitor, type);
        }
    }

    /** Writes an id as the name of a field. */
    static final class NameWriter extends Writer {
        NameWriter() {}

        NameWriter(Supplier<TypedIds> ids) {
            super(ids);
        }

        @Override
        public void serialize(TypedId id, JsonGenerator generator, SerializationContext context) {
            generator.writeName(text(id));
        }
    }

    /** Reads an id from its text. */
    static final class Reader extends StdScalarDeserializer<Object> {
        private final Supplier<TypedIds> ids;
        private final Class<? extends TypedId> type;

        Reader() {
            this(TypedIds::getDefault, TypedId.class);
        }

        Reader(Supplier<TypedIds> ids, Class<? extends TypedId> type) {
            super(type);
            this.ids = ids;
            this.type = type;
        }

        @Override
        public ValueDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            return new Reader(ids, context.getContextualType().getRawClass().asSubclass(TypedId.class));
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
            if (type == TypedId.class) {
                return context.reportBadDefinition(
                        type, "an id is read as its own class: declare a class such as OrderId");
            }
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return refuse(parser, context);
            }
            String text = parser.getString();
            try {
                return ids.get().parse(type, text);
            } catch (InvalidIdException refused) {
                return context.handleWeirdStringValue(type, text, "%s", refused.getMessage());
            }
        }

        private @Nullable Object refuse(JsonParser parser, DeserializationContext context) {
            if (parser.currentToken().isNumeric()) {
                return context.handleWeirdNumberValue(type, parser.getNumberValue(), "an id is a text, not a number");
            }
            return context.handleUnexpectedToken(type, parser);
        }
    }

    /** Reads an id from the name of a field. */
    static final class NameReader extends KeyDeserializer implements ContextualKeyDeserializer {
        private final Supplier<TypedIds> ids;
        private final Class<? extends TypedId> type;

        NameReader() {
            this(TypedIds::getDefault, TypedId.class);
        }

        NameReader(Supplier<TypedIds> ids, Class<? extends TypedId> type) {
            this.ids = ids;
            this.type = type;
        }

        /** Jackson says the type of the map, not that of its keys. */
        @Override
        public KeyDeserializer createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            JavaType key = context.getContextualType().getKeyType();
            return type == TypedId.class && key != null && key.isTypeOrSubTypeOf(TypedId.class)
                    ? new NameReader(ids, key.getRawClass().asSubclass(TypedId.class))
                    : this;
        }

        @Override
        public @Nullable Object deserializeKey(String name, DeserializationContext context) {
            if (type == TypedId.class) {
                return context.reportBadDefinition(
                        type, "an id is read as its own class: declare a class such as OrderId");
            }
            try {
                return ids.get().parse(type, name);
            } catch (InvalidIdException refused) {
                return context.handleWeirdKey(type, name, "%s", refused.getMessage());
            }
        }
    }
}
