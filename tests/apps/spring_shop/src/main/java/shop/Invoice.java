package shop;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An invoice. The key keeps an order from being billed twice. */
@Entity
@Table(name = "shop_invoices")
public class Invoice {
    @Id
    @Column(name = "order_id")
    private OrderId order;

    private String number;

    protected Invoice() {}

    public Invoice(OrderId order, String number) {
        this.order = order;
        this.number = number;
    }

    public OrderId getOrder() {
        return order;
    }

    public String getNumber() {
        return number;
    }
}
