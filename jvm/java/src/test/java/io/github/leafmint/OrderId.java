package io.github.leafmint;

/** A typed id of tests. */
@IdForm(prefix = "order")
@SuppressWarnings("serial")
public final class OrderId extends TypedId {
    public OrderId(long value) {
        super(value);
    }
}
