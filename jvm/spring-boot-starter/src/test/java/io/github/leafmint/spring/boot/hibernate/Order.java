package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.persistence.LeafmintId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class Order {
    @Id
    @LeafmintId("order")
    Long id;

    @LeafmintId(series = "order-number")
    String number;

    String item = "leaf";
}
