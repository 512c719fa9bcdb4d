package io.github.leafmint.persistence;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.IdClass;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The entities of the tests with typed ids in Hibernate. */
final class TypedShop {
    static final List<Class<?>> ENTITIES = List.of(Order.class, Customer.class, Line.class, Member.class, Visit.class);

    private TypedShop() {}

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

    @IdForm(prefix = "ticket")
    static final class TicketId extends TypedId {
        private static final long serialVersionUID = 1L;

        public TicketId(long value) {
            super(value);
        }
    }

    @IdForm(prefix = "visit")
    static final class VisitId extends TypedId {
        private static final long serialVersionUID = 1L;

        public VisitId(long value) {
            super(value);
        }
    }

    @Entity(name = "orders")
    static class Order {
        @Id
        @SegmentId("typed-order")
        OrderId id;

        @SegmentId("typed-ticket")
        TicketId ticket;

        CustomerId seller;

        @ManyToOne
        Customer buyer;

        @ElementCollection
        Set<CustomerId> watchers = new HashSet<>();

        @ElementCollection
        Map<CustomerId, Integer> shares = new HashMap<>();

        Gift gift;

        /** Embedded by the annotation of the property alone. */
        @Embedded
        Parcel parcel = new Parcel();
    }

    static class Parcel {
        ParcelId parcelId = new ParcelId(3);
    }

    @IdForm(prefix = "parcel")
    static final class ParcelId extends TypedId {
        private static final long serialVersionUID = 1L;

        public ParcelId(long value) {
            super(value);
        }
    }

    @Embeddable
    static class Gift {
        CustomerId giver;
    }

    @MappedSuperclass
    abstract static class Base<K> {
        @Id
        @SegmentId
        K id;
    }

    @Entity
    @Table(name = "typed_customers")
    static class Customer extends Base<CustomerId> {}

    /** No annotation of leafmint: its key comes from others. */
    @Entity(name = "order_lines")
    @IdClass(Line.Key.class)
    static class Line {
        @Id
        OrderId orderId;

        @Id
        int position;

        record Key(OrderId orderId, int position) implements Serializable {}
    }

    @Entity(name = "members")
    static class Member {
        @EmbeddedId
        Pair id;
    }

    @Embeddable
    record Pair(CustomerId owner, CustomerId guest) implements Serializable {}

    /** Its properties are getters. */
    @Entity(name = "visits")
    static class Visit {
        private long number;

        @Id
        @SnowflakeId
        public VisitId getId() {
            return number == 0 ? null : new VisitId(number);
        }

        public void setId(VisitId id) {
            number = id.value();
        }
    }
}
