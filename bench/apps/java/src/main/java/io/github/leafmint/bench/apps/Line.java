package io.github.leafmint.bench.apps;

import jakarta.persistence.MappedSuperclass;

/** A line of an order, without the keys. */
@MappedSuperclass
abstract class Line {
    int product;
    int amount = 1;

    abstract void of(Object order);
}
