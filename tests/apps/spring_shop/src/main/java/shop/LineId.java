package shop;

import io.github.leafmint.IdForm;
import io.github.leafmint.TypedId;

/** The id of a line. */
@IdForm(prefix = "line")
public final class LineId extends TypedId {
    public LineId(long value) {
        super(value);
    }
}
