package io.github.leafmint.bench.apps;

import jakarta.persistence.MappedSuperclass;

/** An order, without its key. */
@MappedSuperclass
abstract class Order {
    int customer;
    String note = "x".repeat(40);

    abstract Object key();
}
