package io.github.leafmint.persistence;

import jakarta.persistence.Embeddable;
import jakarta.persistence.EmbeddedId;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.MapsId;
import jakarta.persistence.OneToOne;
import jakarta.persistence.Table;
import java.io.Serializable;
import java.math.BigInteger;
import java.util.List;

/** The entities of the tests with Hibernate. */
final class Shop {
    static final List<Class<?>> ENTITIES = List.of(
            Order.class,
            Receipt.class,
            Count.class,
            Small.class,
            Named.class,
            Large.class,
            Payment.class,
            Customer.class,
            Invoice.class,
            Parcel.class,
            Ticket.class);

    private Shop() {}

    @Entity
    static class Bill {
        @Id
        @SegmentId("bill")
        Long id;

        @SeriesValue("bill-number")
        String number;

        String item;
    }

    @Entity(name = "orders")
    static class Order {
        @Id
        @SegmentId("order")
        Long id;

        String item;
    }

    @Entity
    static class Receipt {
        @Id
        Long id;

        @OneToOne
        @MapsId
        Order order;
    }

    /** Ids that are no keys. */
    @Entity
    static class Ticket {
        @Id
        Long id;

        @SegmentId("ticket")
        Long number;

        @SegmentId("ticket-seat")
        int seat;

        @SnowflakeId
        String event;

        Voucher voucher = new Voucher();

        String item;
    }

    @Embeddable
    static class Voucher {
        @SegmentId("voucher")
        long code;
    }

    @Entity(name = "counts")
    static class Count {
        @Id
        @SegmentId("count")
        long id;
    }

    @Entity
    static class Small {
        @Id
        @SegmentId("small")
        Integer id;
    }

    @Entity
    static class Named {
        private String id;

        @Id
        @SegmentId("named")
        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }
    }

    @Entity(name = "larges")
    static class Large {
        @Id
        @SegmentId("large")
        BigInteger id;
    }

    @Entity
    static class Payment {
        @Id
        @SnowflakeId
        Long id;
    }

    /** A common superclass: its subclasses have a tag each, named as their table. */
    @MappedSuperclass
    abstract static class Base<K> {
        @Id
        @SegmentId
        K id;
    }

    @Entity
    @Table(name = "customers")
    static class Customer extends Base<Long> {}

    @Entity
    @Table(name = "invoices")
    static class Invoice extends Base<String> {}

    @Entity
    static class Parcel {
        @EmbeddedId
        ParcelId id = new ParcelId();
    }

    @Embeddable
    static class ParcelId implements Serializable {
        private static final long serialVersionUID = 1L;

        String country;

        @SegmentId("parcel")
        Long number;

        @Override
        public boolean equals(Object other) {
            return other instanceof ParcelId id && country.equals(id.country) && number.equals(id.number);
        }

        @Override
        public int hashCode() {
            return number.hashCode();
        }
    }
}
