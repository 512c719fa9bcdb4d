package ids;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

@IdForm(prefix = "customer")
@SuppressWarnings("serial")
public final class CustomerId extends TypedId {
    public CustomerId(long value) {
        super(value);
    }
}
