package io.github.leafmint.spring.boot;

import io.github.leafmint.BizTag;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Explains why there is no generator, or no such tag or series, to inject. */
class MissingGeneratorFailureAnalyzer extends AbstractFailureAnalyzer<NoSuchBeanDefinitionException>
        implements Ordered {
    private final BeanFactory beans;
    private final Environment environment;

    MissingGeneratorFailureAnalyzer(BeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /** Ahead of Spring Boot's own analyzer of missing beans. */
    @Override
    public int getOrder() {
        return -1;
    }

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, NoSuchBeanDefinitionException cause) {
        if (cause instanceof NoUniqueBeanDefinitionException) {
            return null; // Spring Boot names the candidates
        }
        Class<?> type = cause.getBeanType();
        if (type == SnowflakeGenerator.class) {
            return new FailureAnalysis("There is no SnowflakeGenerator to inject.", snowflakeAction(), cause);
        }
        if (type == LeafmintConnectionDetails.class) {
            String what =
                    "There is no URL for the snowflake generator: leafmint.snowflake.url is not set, and there is "
                            + "neither a leafmint.segment.url nor a data source that Spring Boot configured.";
            return new FailureAnalysis(what, LeafmintFailureAnalyzer.SNOWFLAKE_URL, cause);
        }
        boolean isOfSegments = type == BizTag.class || type == Series.class;
        if (type == SegmentGenerator.class || (isOfSegments && !MissingSegments.has(beans, SegmentGenerator.class))) {
            String what =
                    "There is no " + type.getSimpleName() + " to inject: " + MissingSegments.reason(beans, environment);
            return new FailureAnalysis(what, MissingSegments.ACTION, cause);
        }
        if (type == BizTag.class) {
            String action = "Set a property of the tag, for example leafmint.segment.tags.<name>.create=true, and "
                    + "inject it with @Qualifier(\"<name>\"); or inject the SegmentGenerator and call bizTag(name).";
            return new FailureAnalysis("There is no such BizTag to inject: " + cause.getMessage(), action, cause);
        }
        if (type == Series.class) {
            String action = "Set leafmint.segment.series.<name>.period=day, month, year or forever and "
                    + "leafmint.segment.series.<name>.zone, and inject it with @Qualifier(\"<name>\"); or inject the "
                    + "SegmentGenerator and call series(name).";
            return new FailureAnalysis("There is no such Series to inject: " + cause.getMessage(), action, cause);
        }
        return null;
    }

    private String snowflakeAction() {
        return "Set leafmint.snowflake.enabled=true to lease worker ids in the database of the data source, or set "
                + "leafmint.snowflake.url to mysql://host/database, local:///directory or fixed:<worker id>.";
    }
}
