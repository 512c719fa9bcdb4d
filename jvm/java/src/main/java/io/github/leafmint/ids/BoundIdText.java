package io.github.leafmint.ids;

import io.github.leafmint.internal.natives.Handle;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.TextBuffer;
import java.lang.ref.Reference;
import java.nio.charset.StandardCharsets;

/** The text of one class of typed ids, with its keys. */
final class BoundIdText {
    private final Handle handle;

    BoundIdText(long handle) {
        this.handle = new Handle(handle, Native::boundIdTextFree);
    }

    String encode(long id) {
        try {
            return TextBuffer.read(Native::boundIdTextEncode, handle.value(), id);
        } finally {
            Reference.reachabilityFence(this);
        }
    }

    long decode(String text) {
        // An unpaired surrogate becomes a question mark, which is refused unless it is a literal of the format.
        byte[] given = text.getBytes(StandardCharsets.UTF_8);
        try {
            return Native.boundIdTextDecode(handle.value(), given);
        } finally {
            Reference.reachabilityFence(this);
        }
    }
}
