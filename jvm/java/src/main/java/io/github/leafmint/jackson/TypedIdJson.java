package io.github.leafmint.jackson;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Lets each mapper of Jackson write and read typed ids as their texts, those without a {@code TypedIdModule} too.
 * {@link io.github.leafmint.ids.TypedId} has it. What has elements, such as {@code using}, is one step away: compilers
 * and their processors warn about elements of annotations that an application does not have, and few have both
 * generations.
 */
@JacksonAnnotationsInside
@WithTypedIdCodec
@io.github.leafmint.jackson3.WithTypedIdCodec
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface TypedIdJson {}
