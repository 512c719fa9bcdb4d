package ids;

import io.github.leafmint.IdForm;
import io.github.leafmint.TypedId;

@IdForm(prefix = "order")
@SuppressWarnings("serial")
public final class OrderId extends TypedId {
    public OrderId(long value) {
        super(value);
    }
}
