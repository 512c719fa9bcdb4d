package io.github.leafmint.spring.boot.hibernate;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

@Entity
@Table(name = "orders")
class Order {
    @Id
    @SegmentId("order")
    Long id;

    @SeriesValue("order-number")
    String number;

    CustomerId customer = new CustomerId(7);

    @SegmentId("ticket")
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
