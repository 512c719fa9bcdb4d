package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.IdForm;
import io.github.leafmint.TypedId;
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

    CustomerId customer = new CustomerId(7);

    @LeafmintId("ticket")
    Long ticket;

    String item = "leaf";

    @IdForm(prefix = "customer")
    public static final class CustomerId extends TypedId {
        private static final long serialVersionUID = 1L;

        public CustomerId(long value) {
            super(value);
        }
    }
}
