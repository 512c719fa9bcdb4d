package io.github.leafmint.jackson;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What {@link TypedIdJson} needs of Jackson 2. */
@JacksonAnnotationsInside
@JsonSerialize(using = TypedIdCodec.Writer.class, keyUsing = TypedIdCodec.NameWriter.class)
@JsonDeserialize(using = TypedIdCodec.Reader.class, keyUsing = TypedIdCodec.NameReader.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
@interface WithTypedIdCodec {}
