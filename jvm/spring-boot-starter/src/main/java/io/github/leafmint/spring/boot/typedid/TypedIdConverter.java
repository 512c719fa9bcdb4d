package io.github.leafmint.spring.boot.typedid;

import io.github.leafmint.ids.TypedId;
import io.github.leafmint.ids.TypedIds;
import java.util.Set;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.GenericConverter;

/**
 * Converts typed ids to their texts, and back. An empty text is no id, as Spring's converters of numbers have it: a
 * form sends it for a field without a value.
 */
class TypedIdConverter implements GenericConverter {
    private final TypedIds ids;

    TypedIdConverter(TypedIds ids) {
        this.ids = ids;
    }

    @Override
    public Set<ConvertiblePair> getConvertibleTypes() {
        return Set.of(
                new ConvertiblePair(String.class, TypedId.class), new ConvertiblePair(TypedId.class, String.class));
    }

    @Override
    public Object convert(Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
        if (source instanceof TypedId id) {
            return ids.text(id);
        }
        String text = (String) source;
        return text == null || text.isEmpty()
                ? null
                : ids.parse(targetType.getType().asSubclass(TypedId.class), text);
    }
}
