package io.github.leafmint.bench;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

/** The typed id that is measured. */
@IdForm(prefix = "order")
@SuppressWarnings("serial")
public final class OrderId extends TypedId {
    public OrderId(long value) {
        super(value);
    }
}
