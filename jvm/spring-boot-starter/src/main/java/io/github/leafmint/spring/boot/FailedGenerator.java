package io.github.leafmint.spring.boot;

import io.github.leafmint.ClockMovedBackwardsException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.LeaseLostException;
import io.github.leafmint.RateExceededException;
import io.github.leafmint.WorkerIdUnavailableException;
import org.springframework.beans.factory.BeanCreationException;

/** The generator that a failure at start is about. */
enum FailedGenerator {
    SEGMENT("leafmint.segment"),
    SNOWFLAKE("leafmint.snowflake");

    private final String prefix;

    FailedGenerator(String prefix) {
        this.prefix = prefix;
    }

    /** Returns the prefix of its properties. */
    String prefix() {
        return prefix;
    }

    static FailedGenerator of(Throwable rootFailure, LeafmintException cause) {
        for (Throwable at = rootFailure; at != null; at = at.getCause()) {
            if (at instanceof BeanCreationException creation
                    && "leafmintSnowflakeGenerator".equals(creation.getBeanName())) {
                return SNOWFLAKE;
            }
        }
        // A bean of the application may have asked for an id.
        boolean ofSnowflakes = cause instanceof WorkerIdUnavailableException
                || cause instanceof LeaseLostException
                || cause instanceof ClockMovedBackwardsException
                || cause instanceof RateExceededException;
        return ofSnowflakes ? SNOWFLAKE : SEGMENT;
    }
}
