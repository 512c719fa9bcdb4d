package io.github.leafmint.jackson;

import com.fasterxml.jackson.annotation.JacksonAnnotationsInside;
import com.fasterxml.jackson.annotation.JsonFormat;
import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Writes an id into JSON as a string, with Jackson 2 and with Jackson 3. JavaScript rounds numbers beyond
 * 2<sup>53</sup>, which snowflakes are. Both strings and numbers are read. The elements of collections, maps and arrays
 * are ids too.
 *
 * <pre>{@code
 * record OrderView(@IdAsString long id, String item) {}
 * }</pre>
 */
@JacksonAnnotationsInside
@WithIdWriter
@io.github.leafmint.jackson3.WithIdWriter
@JsonFormat(shape = JsonFormat.Shape.STRING)
@Documented
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.FIELD, ElementType.METHOD})
public @interface IdAsString {}
