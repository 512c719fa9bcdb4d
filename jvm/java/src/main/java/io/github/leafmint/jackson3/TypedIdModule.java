package io.github.leafmint.jackson3;

import io.github.leafmint.InvalidIdException;
import io.github.leafmint.TypedId;
import io.github.leafmint.TypedIds;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.Version;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.DeserializationConfig;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.KeyDeserializer;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.deser.Deserializers;
import tools.jackson.databind.deser.std.StdScalarDeserializer;
import tools.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import tools.jackson.databind.module.SimpleSerializers;
import tools.jackson.databind.ser.std.StdScalarSerializer;

/**
 * Writes {@link TypedId}s into JSON as texts, and reads nothing but these, with Jackson 3. Spring's starter registers
 * it.
 *
 * <pre>{@code
 * JsonMapper mapper = JsonMapper.builder().addModule(new TypedIdModule(ids)).build();
 * }</pre>
 */
public final class TypedIdModule extends JacksonModule {
    private final Supplier<TypedIds> ids;

    /** Makes a module that uses {@link TypedIds#getDefault}. */
    public TypedIdModule() {
        ids = TypedIds::getDefault;
    }

    /**
     * Makes a module.
     *
     * @param ids writes and reads the texts
     */
    public TypedIdModule(TypedIds ids) {
        this.ids = () -> ids;
    }

    @Override
    public String getModuleName() {
        return "leafmint-typed-ids";
    }

    @Override
    public Version version() {
        return Version.unknownVersion();
    }

    @Override
    public void setupModule(SetupContext context) {
        context.addSerializers(new SimpleSerializers(List.of(new Writer(ids, false))));
        context.addKeySerializers(new SimpleSerializers(List.of(new Writer(ids, true))));
        context.addDeserializers(new Readers(ids));
        context.addKeyDeserializers((type, config, description) ->
                isTypedId(type.getRawClass()) ? new KeyReader(ids, typedId(type)) : null);
    }

    /** Leaves a property of the class {@code TypedId} itself to Jackson, which refuses it. */
    private static boolean isTypedId(Class<?> type) {
        return TypedId.class.isAssignableFrom(type) && type != TypedId.class;
    }

    private static Class<? extends TypedId> typedId(JavaType type) {
        return type.getRawClass().asSubclass(TypedId.class);
    }

    /** Writes an id as a value, or as the name of a field. */
    private static final class Writer extends StdScalarSerializer<TypedId> {
        private final Supplier<TypedIds> ids;
        private final boolean asName;

        Writer(Supplier<TypedIds> ids, boolean asName) {
            super(TypedId.class);
            this.ids = ids;
            this.asName = asName;
        }

        @Override
        public void serialize(TypedId id, JsonGenerator generator, SerializationContext context) {
            String text = ids.get().text(id);
            if (asName) {
                generator.writeName(text);
            } else {
                generator.writeString(text);
            }
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) {
            visitStringFormat(visitor, type);
        }
    }

    /** Finds the reader of a class. */
    private static final class Readers extends Deserializers.Base {
        private final Supplier<TypedIds> ids;

        Readers(Supplier<TypedIds> ids) {
            this.ids = ids;
        }

        @Override
        public @Nullable ValueDeserializer<?> findBeanDeserializer(
                JavaType type, DeserializationConfig config, BeanDescription.Supplier description) {
            return isTypedId(type.getRawClass()) ? new Reader(ids, typedId(type)) : null;
        }

        @Override
        public boolean hasDeserializerFor(DeserializationConfig config, Class<?> type) {
            return isTypedId(type);
        }
    }

    /** Reads an id from its text. */
    private static final class Reader extends StdScalarDeserializer<Object> {
        private final Supplier<TypedIds> ids;
        private final Class<? extends TypedId> type;

        Reader(Supplier<TypedIds> ids, Class<? extends TypedId> type) {
            super(type);
            this.ids = ids;
            this.type = type;
        }

        @Override
        public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) {
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
    private static final class KeyReader extends KeyDeserializer {
        private final Supplier<TypedIds> ids;
        private final Class<? extends TypedId> type;

        KeyReader(Supplier<TypedIds> ids, Class<? extends TypedId> type) {
            this.ids = ids;
            this.type = type;
        }

        @Override
        public @Nullable Object deserializeKey(String name, DeserializationContext context) {
            try {
                return ids.get().parse(type, name);
            } catch (InvalidIdException refused) {
                return context.handleWeirdKey(type, name, "%s", refused.getMessage());
            }
        }
    }
}
