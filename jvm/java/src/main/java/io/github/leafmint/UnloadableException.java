package io.github.leafmint;

import java.io.IOException;

/** The native library cannot be loaded, and what to do about it is known. */
final class UnloadableException extends IOException {
    private static final long serialVersionUID = 1;

    private final String advice;

    UnloadableException(String message, String advice) {
        super(message);
        this.advice = advice;
    }

    String advice() {
        return advice;
    }
}
