package shop;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

/** The id of a line. */
@IdForm(prefix = "line")
public final class LineId extends TypedId {
    public LineId(long value) {
        super(value);
    }
}
