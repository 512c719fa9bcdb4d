package shop;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

/** The id of an order: a number in the database, a text for customers. */
@IdForm(prefix = "order")
public final class OrderId extends TypedId {
    public OrderId(long value) {
        super(value);
    }
}
