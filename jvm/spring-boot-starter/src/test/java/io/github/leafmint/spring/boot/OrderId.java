package io.github.leafmint.spring.boot;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

/** A typed id of tests. */
@IdForm(prefix = "order")
@SuppressWarnings("serial")
public final class OrderId extends TypedId {
    public OrderId(long value) {
        super(value);
    }
}
