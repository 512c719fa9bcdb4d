package io.github.leafmint.jackson3;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * Lets each mapper of Jackson 3 write and read typed ids as their texts, those without {@link TypedIdModule} too.
 * {@link io.github.leafmint.TypedId} has it. It is an annotation of its own because compilers warn about elements of
 * annotations, such as {@code using}, that an application without Jackson does not have.
 */
@JacksonAnnotationsInside
@JsonSerialize(using = TypedIdCodec.Writer.class, keyUsing = TypedIdCodec.NameWriter.class)
@JsonDeserialize(using = TypedIdCodec.Reader.class, keyUsing = TypedIdCodec.NameReader.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface TypedIdJson {}
