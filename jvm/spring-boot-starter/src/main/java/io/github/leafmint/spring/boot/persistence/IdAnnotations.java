package io.github.leafmint.spring.boot.persistence;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import io.github.leafmint.persistence.SnowflakeId;
import java.lang.annotation.Annotation;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The annotations of properties that leafmint mints.
 *
 * <pre>{@code
 * if (IdAnnotations.areOn(field::isAnnotationPresent)) {
 *     Annotation annotation = IdAnnotations.only(field::getAnnotation, field.getName());
 * }
 * }</pre>
 */
public final class IdAnnotations {
    private static final List<Class<? extends Annotation>> TYPES =
            List.of(SegmentId.class, SnowflakeId.class, SeriesValue.class);

    private IdAnnotations() {}

    /**
     * Returns whether a property is minted.
     *
     * @param isPresent whether the property has an annotation
     * @return true if it has one of leafmint's
     */
    public static boolean areOn(Predicate<Class<? extends Annotation>> isPresent) {
        return TYPES.stream().anyMatch(isPresent);
    }

    /**
     * Returns the annotation of a property.
     *
     * @param annotations the annotation of a type, or {@code null}
     * @param property the name of the property, for the message
     * @return the only one of leafmint's, or {@code null}
     * @throws InvalidConfigException if there are several
     */
    public static @Nullable Annotation only(
            Function<Class<? extends Annotation>, @Nullable Annotation> annotations, String property) {
        Annotation only = null;
        for (Class<? extends Annotation> type : TYPES) {
            Annotation found = annotations.apply(type);
            if (found != null && only != null) {
                throw new InvalidConfigException(property + " has @"
                        + only.annotationType().getSimpleName() + " and @" + type.getSimpleName()
                        + ": remove one of them");
            }
            only = found == null ? only : found;
        }
        return only;
    }
}
