package io.github.leafmint;

import java.util.AbstractList;
import java.util.Objects;
import java.util.RandomAccess;

/** Numbers of one period that follow one another. Each becomes an object only when it is read. */
final class ConsecutiveNumbers extends AbstractList<SeriesNumber> implements RandomAccess {
    private final SeriesGroup group;
    private final long first;
    private final int count;

    ConsecutiveNumbers(SeriesGroup group, long first, int count) {
        this.group = group;
        this.first = first;
        this.count = count;
    }

    @Override
    public SeriesNumber get(int index) {
        return new SeriesNumber(group, first + Objects.checkIndex(index, count));
    }

    @Override
    public int size() {
        return count;
    }
}
