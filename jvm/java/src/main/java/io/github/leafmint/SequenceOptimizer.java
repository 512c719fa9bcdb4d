package io.github.leafmint;

/**
 * The ids that one value of a sequence stands for, by Hibernate's names.
 *
 * <pre>{@code
 * SegmentGenerator.builder(source).sequence("{tag}_seq").sequenceOptimizer(SequenceOptimizer.POOLED).open();
 * }</pre>
 */
public enum SequenceOptimizer {
    /** {@code none}: the value alone. */
    NONE,

    /** {@code pooled}: the ids up to the value. */
    POOLED,

    /** {@code pooled-lo}: the ids from the value on. */
    POOLED_LO
}
