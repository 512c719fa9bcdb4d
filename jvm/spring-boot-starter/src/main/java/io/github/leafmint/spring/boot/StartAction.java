package io.github.leafmint.spring.boot;

import io.github.leafmint.InvalidConfigException;
import io.github.leafmint.LeafmintException;
import io.github.leafmint.UnknownTagException;
import io.github.leafmint.WorkerIdUnavailableException;
import org.springframework.core.env.Environment;

/** Says what to do about a failure at start, in terms of properties. */
final class StartAction {
    private static final String SEGMENT_URL =
            "The URL is the data source's. Set leafmint.segment.url to a database that leafmint can use, such as "
                    + "mysql://host/database or postgresql://host/database, or to memory: in tests, or "
                    + "leafmint.segment.enabled=false if the application mints snowflakes only.";

    static final String SNOWFLAKE_URL =
            "Set leafmint.snowflake.url to " + "mysql://host/database, to local:///directory or to fixed:<worker id>.";

    private StartAction() {}

    static String of(FailedGenerator generator, LeafmintException failure, Environment environment) {
        String prefix = generator.prefix();
        if (failure instanceof UnknownTagException) {
            return "Set leafmint.segment.tags.<name>.create=true to create the tag at start, or "
                    + "leafmint.segment.auto-create=true to create every tag on first use, or insert its row.";
        }
        if (failure instanceof WorkerIdUnavailableException) {
            return "Wait until a worker id is free, or allow more of them with leafmint.snowflake.workers or "
                    + "leafmint.snowflake.layout. The command \"leafmint workers list\" shows who has them.";
        }
        if (failure instanceof InvalidConfigException) {
            return ofInvalid(generator, failure.getMessage(), environment);
        }
        if (failure.retryable()) {
            return "Check that the database is up, and that " + prefix + ".url, .username and .password are right. "
                    + "The start needs the database only if " + prefix + ".eager, leafmint.segment.init-schema or "
                    + "leafmint.segment.tags.<name>.create is true.";
        }
        return "Correct the properties " + prefix + ".*, or the call that failed.";
    }

    private static String ofInvalid(FailedGenerator generator, String message, Environment environment) {
        String prefix = generator.prefix();
        if (message.contains("init_schema()")) {
            return "Set leafmint.segment.init-schema=true, or run the statement in a migration.";
        }
        boolean ofUrl = message.contains("is not known; known are") && message.contains("the scheme")
                || message.contains("is not served");
        if (!ofUrl || environment.containsProperty(prefix + ".url")) {
            return "Correct the properties " + prefix + ".*.";
        }
        return generator == FailedGenerator.SEGMENT ? SEGMENT_URL : SNOWFLAKE_URL;
    }
}
