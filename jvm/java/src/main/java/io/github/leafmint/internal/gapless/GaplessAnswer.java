package io.github.leafmint.internal.gapless;

import org.jspecify.annotations.Nullable;

/**
 * What a statement answers.
 *
 * @param row the columns of the first row as text, {@code null} if there is none
 * @param counted the number of rows that the driver says it has changed, not above 0 if it does not say
 */
record GaplessAnswer(@Nullable String @Nullable [] row, long counted) {}
