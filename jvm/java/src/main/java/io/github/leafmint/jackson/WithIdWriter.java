package io.github.leafmint.jackson;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** What {@link IdAsString} needs of Jackson 2: apart from it, so that compilers do not miss the other generation. */
@JacksonAnnotationsInside
@JsonSerialize(using = IdWriter.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
@interface WithIdWriter {}
