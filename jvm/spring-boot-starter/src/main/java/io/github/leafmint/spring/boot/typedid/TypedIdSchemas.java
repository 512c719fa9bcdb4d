package io.github.leafmint.spring.boot.typedid;

import com.fasterxml.jackson.databind.type.TypeFactory;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Iterator;

/** Documents a typed id as a string with the pattern and an example of its class. */
class TypedIdSchemas implements ModelConverter {
    private final TypedIds ids;

    TypedIdSchemas(TypedIds ids) {
        this.ids = ids;
    }

    @Override
    public Schema<?> resolve(AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> others) {
        Class<?> described =
                TypeFactory.defaultInstance().constructType(type.getType()).getRawClass();
        if (TypedId.class.isAssignableFrom(described) && described != TypedId.class) {
            return schema(described.asSubclass(TypedId.class), text(type), context, others);
        }
        return others.hasNext() ? others.next().resolve(type, context, others) : null;
    }

    /** Returns the type of the text, with what the annotations of the property say. */
    private static AnnotatedType text(AnnotatedType type) {
        return new AnnotatedType(String.class)
                .ctxAnnotations(type.getCtxAnnotations())
                .jsonViewAnnotation(type.getJsonViewAnnotation())
                .parent(type.getParent())
                .propertyName(type.getPropertyName());
    }

    /** Asks the next converter and not the context, which remembers one schema for all strings. */
    private Schema<?> schema(
            Class<? extends TypedId> described,
            AnnotatedType text,
            ModelConverterContext context,
            Iterator<ModelConverter> others) {
        Schema<?> schema = others.next().resolve(text, context, others);
        schema.setPattern(ids.pattern(described));
        if (schema.getExample() == null) {
            schema.setExample(ids.example(described));
        }
        return schema;
    }
}
