package io.github.leafmint.spring.boot.data;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import io.github.leafmint.persistence.SegmentId;
import java.util.Set;
import org.springframework.data.annotation.Id;
import org.springframework.data.jdbc.core.mapping.AggregateReference;
import org.springframework.data.relational.core.mapping.Table;

/** Entities of Spring Data with typed ids. */
final class TypedAggregates {
    static final String ORDERS =
            "CREATE TABLE typed_orders (id BIGINT PRIMARY KEY, customer BIGINT, seller BIGINT," + " ticket BIGINT)";
    static final String GIFTS = "CREATE TABLE typed_gifts (typed_orders BIGINT, giver BIGINT)";

    private TypedAggregates() {}

    @IdForm(prefix = "order")
    static final class OrderId extends TypedId {
        private static final long serialVersionUID = 1L;

        public OrderId(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "customer")
    static final class CustomerId extends TypedId {
        private static final long serialVersionUID = 1L;

        public CustomerId(long value) {
            super(value);
        }
    }

    @Table("typed_customers")
    record Customer(@Id CustomerId id) {}

    @Table("typed_gifts")
    record Gift(CustomerId giver) {}

    @Table("typed_orders")
    record Order(
            @Id @SegmentId("typed_order") OrderId id,
            AggregateReference<Customer, CustomerId> customer,
            CustomerId seller,
            @SegmentId("typed_ticket") OrderId ticket,
            Set<Gift> gifts) {}

    /** The same table, for R2DBC. */
    @Table("typed_orders")
    record Row(
            @Id @SegmentId("typed_order") OrderId id,
            CustomerId seller,
            @SegmentId("typed_ticket") OrderId ticket) {}
}
