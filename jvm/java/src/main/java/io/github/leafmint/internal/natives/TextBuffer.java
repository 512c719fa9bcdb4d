package io.github.leafmint.internal.natives;

import java.nio.charset.StandardCharsets;

/** Makes a {@code String} of what a native writes into an array. A native that made it would convert the text twice. */
public final class TextBuffer {
    /** Holds every public id, and nearly every number. */
    private static final int ROOM = 96;

    private TextBuffer() {}

    /** Writes the text of an id into an array if it has room for it, and returns the number of bytes. */
    public interface Writing {
        long write(long handle, long id, byte[] text);
    }

    public static String read(Writing writing, long handle, long id) {
        byte[] written = new byte[ROOM];
        int length = (int) writing.write(handle, id, written);
        if (length > ROOM) {
            written = new byte[length];
            writing.write(handle, id, written);
        }
        return new String(written, 0, length, StandardCharsets.UTF_8);
    }
}
