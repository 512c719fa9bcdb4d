package io.github.leafmint.spring.boot.leaf;

import java.util.concurrent.CompletionException;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ResponseStatus;

/** No id could be minted: Leaf answers every failure with status 500. */
@ResponseStatus(HttpStatus.INTERNAL_SERVER_ERROR)
class LeafApiException extends RuntimeException {
    private static final long serialVersionUID = 1;

    LeafApiException(String message) {
        super(message);
    }

    LeafApiException(Throwable cause) {
        super(cause.getMessage(), cause);
    }

    /** Fails an answer of the paths with the failure of a future. */
    static <T> T raise(Throwable failure) {
        throw new LeafApiException(failure instanceof CompletionException ? failure.getCause() : failure);
    }
}
