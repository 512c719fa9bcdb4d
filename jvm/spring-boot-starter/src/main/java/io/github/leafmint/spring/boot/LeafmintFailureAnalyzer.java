package io.github.leafmint.spring.boot;

import io.github.leafmint.ClockMovedBackwardsException;
import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.LeaseLostException;
import io.github.leafmint.RateExceededException;
import io.github.leafmint.UnknownTagException;
import io.github.leafmint.WorkerIdUnavailableException;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Explains why leafmint failed while the application started, and which property helps. */
class LeafmintFailureAnalyzer extends AbstractFailureAnalyzer<LeafmintException> {
    static final String SNOWFLAKE_URL =
            "Set leafmint.snowflake.url to mysql://host/database, to local:/directory or to fixed:<worker id>.";

    /** Part of the message of missing keys, too. */
    static final String ID_KEYS = "set leafmint.id-keys or leafmint.id-keys-file";

    private static final String SEGMENTS = "leafmint.segment";
    private static final String SNOWFLAKES = "leafmint.snowflake";

    private final Environment environment;

    LeafmintFailureAnalyzer(Environment environment) {
        this.environment = environment;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, LeafmintException cause) {
        RefusedPropertiesException refused = findCause(rootFailure, RefusedPropertiesException.class);
        // A missing table is not the fault of the tag or series for which it was noticed.
        if (refused != null && !needsSchema(cause)) {
            String action = "Correct the properties that begin with " + refused.prefix() + ".";
            return new FailureAnalysis(refused.getMessage(), action, cause);
        }
        String prefix = prefixOf(rootFailure, cause);
        return new FailureAnalysis(cause.getMessage(), actionOn(cause, prefix), cause);
    }

    /** Returns the prefix of the properties of the generator that failed. */
    private static String prefixOf(Throwable rootFailure, LeafmintException cause) {
        for (Throwable at = rootFailure; at != null; at = at.getCause()) {
            if (at instanceof BeanCreationException creation
                    && SnowflakeConfiguration.GENERATOR.equals(creation.getBeanName())) {
                return SNOWFLAKES;
            }
        }
        // A bean of the application may have asked for an id.
        boolean ofSnowflakes = cause instanceof WorkerIdUnavailableException
                || cause instanceof LeaseLostException
                || cause instanceof ClockMovedBackwardsException
                || cause instanceof RateExceededException;
        return ofSnowflakes ? SNOWFLAKES : SEGMENTS;
    }

    /** Says what to do, in terms of properties. */
    private String actionOn(LeafmintException failure, String prefix) {
        if (failure instanceof UnknownTagException) {
            return "First run the command of the description: a deleted row that is created again repeats ids. For a "
                    + "new tag, set leafmint.segment.tags.<name>.create=true to create it at start, or "
                    + "leafmint.segment.auto-create=true to create every tag on first use, or run "
                    + "leafmint tags create <name>.";
        }
        if (failure instanceof WorkerIdUnavailableException) {
            return "Wait until a worker id is free, or allow more of them with leafmint.snowflake.workers or "
                    + "leafmint.snowflake.layout. The command \"leafmint workers list\" shows who has them.";
        }
        if (failure instanceof InvalidConfigException invalid) {
            return actionOnInvalid(invalid, prefix);
        }
        if (failure.retryable()) {
            String connects = hasUrl(prefix)
                    ? prefix + ".url, .username and .password are right. "
                    : "the application's data source connects. ";
            return "Check that the database is up, and that " + connects + "The start needs the database only if "
                    + prefix + ".eager, leafmint.segment.init-schema or "
                    + "leafmint.segment.tags.<name>.create is true.";
        }
        return "Correct the properties " + prefix + ".*, or the call that failed.";
    }

    private String actionOnInvalid(InvalidConfigException failure, String prefix) {
        if (failure.getMessage().contains(ID_KEYS)) {
            return StringUtils.capitalize(ID_KEYS) + ".";
        }
        if (prefix.equals(SEGMENTS) && needsSchema(failure)) {
            return "Set leafmint.segment.init-schema=true, or run the statement in a migration.";
        }
        if (prefix.equals(SNOWFLAKES)
                && "unserved_url".equals(failure.reason())
                && !environment.containsProperty(prefix + ".url")) {
            return SNOWFLAKE_URL;
        }
        // An option of the URL has no property.
        List<String> properties = failure.options().stream()
                .map(option -> propertyOf(option, prefix))
                .filter(environment::containsProperty)
                .toList();
        if (!properties.isEmpty()) {
            return "Correct " + String.join(" and ", properties) + ".";
        }
        String otherwise = ", or set " + prefix + ".url, or " + prefix + ".enabled=false.";
        return hasUrl(prefix)
                ? "Correct the properties " + prefix + ".*."
                : "Correct the application's data source or the properties " + prefix + ".*" + otherwise;
    }

    /** Returns whether the generator connects by itself. Snowflakes may have the URL of the segments. */
    private boolean hasUrl(String prefix) {
        return Stream.of(prefix, SEGMENTS).anyMatch(of -> StringUtils.hasText(environment.getProperty(of + ".url")));
    }

    private static String propertyOf(String option, String prefix) {
        return prefix + "." + option.replace('_', '-');
    }

    private static boolean needsSchema(LeafmintException failure) {
        return "missing_table".equals(failure.reason()) || "missing_schema".equals(failure.reason());
    }
}
