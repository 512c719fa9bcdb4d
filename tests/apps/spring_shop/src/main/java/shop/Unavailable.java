package shop;

import io.github.leafmint.SegmentUnavailableException;
import io.github.leafmint.Tag;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Answers 503 if no id is in hand and the store does not answer. */
@RestControllerAdvice
@ConditionalOnClass(Tag.class)
class Unavailable {
    @ExceptionHandler
    ProblemDetail noIds(SegmentUnavailableException failure) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.SERVICE_UNAVAILABLE, failure.getMessage());
    }
}
