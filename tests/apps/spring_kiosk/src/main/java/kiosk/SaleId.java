package kiosk;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

/** The id of a sale. */
@IdForm(prefix = "sale")
public final class SaleId extends TypedId {
    public SaleId(long value) {
        super(value);
    }
}
