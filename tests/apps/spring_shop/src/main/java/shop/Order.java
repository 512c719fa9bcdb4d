package shop;

import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An order, stored by JPA. The other samples use the same table and the same tag, and the same series. */
@Entity
@Table(name = "shop_orders")
public class Order {
    @Id
    @SegmentId("shop_order")
    private OrderId id;

    @SeriesValue("order")
    private String number;

    private String item;

    protected Order() {}

    public Order(String item) {
        this.item = item;
    }

    public OrderId getId() {
        return id;
    }

    public String getNumber() {
        return number;
    }

    public String getItem() {
        return item;
    }
}
