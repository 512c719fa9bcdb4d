package shop;

import io.github.leafmint.ids.IdForm;
import io.github.leafmint.ids.TypedId;

/** The id of a note. */
@IdForm(prefix = "note")
public final class NoteId extends TypedId {
    public NoteId(long value) {
        super(value);
    }
}
