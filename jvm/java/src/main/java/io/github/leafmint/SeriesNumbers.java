package io.github.leafmint;

import java.util.AbstractList;
import java.util.RandomAccess;

/** Numbers of one period. A batch can have millions: each becomes an object only when it is read. */
final class SeriesNumbers extends AbstractList<SeriesNumber> implements RandomAccess {
    private final SeriesGroup group;
    private final long[] numbers;

    SeriesNumbers(SeriesGroup group, long[] numbers) {
        this.group = group;
        this.numbers = numbers;
    }

    @Override
    public SeriesNumber get(int index) {
        return new SeriesNumber(group, numbers[index]);
    }

    @Override
    public int size() {
        return numbers.length;
    }
}
