package kiosk;

import io.github.leafmint.persistence.SegmentId;
import io.github.leafmint.persistence.SeriesValue;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** What was sold. */
@Entity
@Table(name = "kiosk_sales")
public class Sale {
    @Id
    @SegmentId("kiosk_sale")
    private SaleId id;

    @SeriesValue("sale")
    private String number;

    private String item;

    protected Sale() {}

    public Sale(String item) {
        this.item = item;
    }

    public SaleId getId() {
        return id;
    }

    public String getNumber() {
        return number;
    }

    public String getItem() {
        return item;
    }
}
