package ids;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

@IdForm(prefix = "order")
@SuppressWarnings("serial")
public final class OrderId extends TypedId {
    public OrderId(long value) {
        super(value);
    }
}
