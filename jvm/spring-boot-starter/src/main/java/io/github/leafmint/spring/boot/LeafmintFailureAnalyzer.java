package io.github.leafmint.spring.boot;

import io.github.leafmint.LeafmintException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;

/** Explains why leafmint failed while the application started, and which property helps. */
class LeafmintFailureAnalyzer extends AbstractFailureAnalyzer<LeafmintException> {
    private final Environment environment;

    LeafmintFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LeafmintException cause) {
        RefusedTagException refused = findCause(rootFailure, RefusedTagException.class);
        // A missing table is not the fault of the tag for which it was noticed.
        if (refused != null && !cause.getMessage().contains("init_schema()")) {
            String action = "Correct the properties " + refused.prefix() + ".*.";
            return new FailureAnalysis(refused.getMessage(), action, cause);
        }
        FailedGenerator generator = FailedGenerator.of(rootFailure, cause);
        String description = new OptionNames(environment, generator.prefix()).asProperties(cause.getMessage());
        return new FailureAnalysis(description, StartAction.of(generator, cause, environment), cause);
    }
}
