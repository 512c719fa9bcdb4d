package io.github.leafmint.jackson3;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import tools.jackson.databind.annotation.JsonSerialize;

/**
 * What {@link io.github.leafmint.jackson.IdAsString} needs of Jackson 3: apart from it, so that compilers do not miss
 * the other generation.
 */
@JacksonAnnotationsInside
@JsonSerialize(using = IdWriter.class)
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.ANNOTATION_TYPE)
public @interface WithIdWriter {}
