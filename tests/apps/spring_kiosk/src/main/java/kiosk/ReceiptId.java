package kiosk;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

/** The id of a receipt, which has no row. */
@IdForm(prefix = "receipt")
public final class ReceiptId extends TypedId {
    public ReceiptId(long value) {
        super(value);
    }
}
