package io.github.leafmint.spring.boot.typedid;

import com.fasterxml.jackson.databind.type.TypeFactory;
import io.github.leafmint.TypedId;
import io.github.leafmint.TypedIds;
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
            return schema(described.asSubclass(TypedId.class), type, context);
        }
        return others.hasNext() ? others.next().resolve(type, context, others) : null;
    }

    /** Describes the text as any other, with what the annotations of the property say. */
    private Schema<?> schema(Class<? extends TypedId> described, AnnotatedType type, ModelConverterContext context) {
        var text = new AnnotatedType(String.class)
                .ctxAnnotations(type.getCtxAnnotations())
                .jsonViewAnnotation(type.getJsonViewAnnotation())
                .parent(type.getParent())
                .propertyName(type.getPropertyName());
        Schema<?> schema = context.resolve(text);
        schema.setPattern(ids.pattern(described));
        if (schema.getExample() == null) {
            schema.setExample(ids.example(described));
        }
        return schema;
    }
}
