package ids;

import io.github.leafmint.IdForm;
import io.github.leafmint.TypedId;

@IdForm(prefix = "customer")
@SuppressWarnings("serial")
public final class CustomerId extends TypedId {
    public CustomerId(long value) {
        super(value);
    }
}
