package io.github.leafmint.jackson;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.ContextualKeyDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.ser.std.StdScalarSerializer;
import io.github.leafmint.InvalidIdException;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads typed ids with Jackson 2. Jackson makes each class here without arguments if it finds it by
 * {@link WithTypedIdCodec}.
 */
final class TypedIdCodec {
    private TypedIdCodec() {}

    /** Writes an id as a value. */
    static class Writer extends StdScalarSerializer<TypedId> {
        private static final long serialVersionUID = 1L;

        private final transient Supplier<TypedIds> ids;

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
        public void serialize(TypedId id, JsonGenerator generator, SerializerProvider provider) throws IOException {
            generator.writeString(text(id));
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
                throws JsonMappingException {
            visitStringFormat(visitor, type);
        }
    }

    /** Writes an id as the name of a field. */
    static final class NameWriter extends Writer {
        private static final long serialVersionUID = 1L;

        NameWriter() {}

        NameWriter(Supplier<TypedIds> ids) {
            super(ids);
        }

        @Override
        public void serialize(TypedId id, JsonGenerator generator, SerializerProvider provider) throws IOException {
            generator.writeFieldName(text(id));
        }
    }

    /** Reads an id from its text. */
    static final class Reader extends StdScalarDeserializer<Object> implements ContextualDeserializer {
        private static final long serialVersionUID = 1L;

        private final transient Supplier<TypedIds> ids;
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
        public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
            return new Reader(ids, context.getContextualType().getRawClass().asSubclass(TypedId.class));
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            if (type == TypedId.class) {
                return context.reportBadDefinition(
                        type, "an id is read as its own class: declare a class such as OrderId");
            }
            if (!parser.hasToken(JsonToken.VALUE_STRING)) {
                return refuse(parser, context);
            }
            String text = parser.getText();
            try {
                return ids.get().parse(type, text);
            } catch (InvalidIdException refused) {
                return context.handleWeirdStringValue(type, text, "%s", refused.getMessage());
            }
        }

        private @Nullable Object refuse(JsonParser parser, DeserializationContext context) throws IOException {
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
        public @Nullable Object deserializeKey(String name, DeserializationContext context) throws IOException {
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
