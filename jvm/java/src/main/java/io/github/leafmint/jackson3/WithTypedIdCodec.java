package io.github.leafmint.jackson3;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;

/** What {@link io.github.leafmint.jackson.TypedIdJson} needs of Jackson 3. */
@JacksonAnnotationsInside
@JsonSerialize(using = TypedIdCodec.Writer.class, keyUsing = TypedIdCodec.NameWriter.class)
@JsonDeserialize(using = TypedIdCodec.Reader.class, keyUsing = TypedIdCodec.NameReader.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface WithTypedIdCodec {}
