package io.github.leafmint.spring.boot;

import io.github.leafmint.GaplessSequence;
import io.github.leafmint.SegmentGenerator;
import io.github.leafmint.Series;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.Tag;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;

/** Explains why there is no generator, or no such tag, series or sequence, to inject. */
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
        boolean isOfSegments = type == Tag.class || type == Series.class;
        if (type == SegmentGenerator.class || (isOfSegments && !MissingSegments.has(beans, SegmentGenerator.class))) {
            String what =
                    "There is no " + type.getSimpleName() + " to inject: " + MissingSegments.reason(beans, environment);
            return new FailureAnalysis(what, MissingSegments.ACTION, cause);
        }
        if (type == Tag.class) {
            String action = "Set a property of the tag, for example leafmint.segment.tags.<name>.create=true, and "
                    + "inject it with @Qualifier(\"<name>\"); or inject the SegmentGenerator and call tag(name).";
            return new FailureAnalysis("There is no such Tag to inject: " + cause.getMessage(), action, cause);
        }
        if (type == Series.class) {
            String action = "Set leafmint.segment.series.<name>.period=day, month, year or forever and "
                    + "leafmint.segment.series.<name>.zone, and inject it with @Qualifier(\"<name>\"); or inject the "
                    + "SegmentGenerator and call series(name).";
            return new FailureAnalysis("There is no such Series to inject: " + cause.getMessage(), action, cause);
        }
        if (type == GaplessSequence.class) {
            String action = "Set leafmint.gapless.<name>.period=day, month, year or forever and "
                    + "leafmint.gapless.<name>.zone, and inject it with @Qualifier(\"<name>\"); or make a bean with "
                    + "GaplessSequence.named(name).";
            return new FailureAnalysis(
                    "There is no such GaplessSequence to inject: " + cause.getMessage(), action, cause);
        }
        return null;
    }

    private String snowflakeAction() {
        return "Set leafmint.snowflake.enabled=true to lease worker ids through the data source, or set "
                + "leafmint.snowflake.url to mysql://host/database, local:/directory or fixed:<worker id>.";
    }
}
