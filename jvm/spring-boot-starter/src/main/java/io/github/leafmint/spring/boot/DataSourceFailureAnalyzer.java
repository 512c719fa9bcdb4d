package io.github.leafmint.spring.boot;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains why no data source can be leased through, and which property names one. */
class DataSourceFailureAnalyzer extends AbstractFailureAnalyzer<UnusableDataSourceException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, UnusableDataSourceException cause) {
        return new FailureAnalysis(cause.getMessage(), cause.action(), cause);
    }
}
