package io.github.leafmint.gallery;

import io.github.leafmint.OrderId;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** What applications give to libraries: an object with typed ids, for those that read fields or properties. */
@SuppressWarnings("serial")
public class Order implements Serializable {
    public OrderId id;
    public ArrayList<OrderId> others;
    public String item;

    public static Order of(long number) {
        var order = new Order();
        order.id = new OrderId(number);
        order.others = new ArrayList<>(List.of(new OrderId(0), new OrderId(Long.MAX_VALUE)));
        order.item = "tea";
        return order;
    }

    public OrderId getId() {
        return id;
    }

    public void setId(OrderId id) {
        this.id = id;
    }

    public ArrayList<OrderId> getOthers() {
        return others;
    }

    public void setOthers(ArrayList<OrderId> others) {
        this.others = others;
    }

    public String getItem() {
        return item;
    }

    public void setItem(String item) {
        this.item = item;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Order order
                && Objects.equals(id, order.id)
                && Objects.equals(others, order.others)
                && Objects.equals(item, order.item);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, others, item);
    }
}
