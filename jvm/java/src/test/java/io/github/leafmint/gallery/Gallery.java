package io.github.leafmint.gallery;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the table of docs/dev/libraries.md that the rows of a class are in.
 *
 * <p>{@code tests/lint/libraries.py} reads the sources: arguments are literals.
 */
@Retention(RetentionPolicy.SOURCE)
@Target(ElementType.TYPE)
public @interface Gallery {
    String value();
}
