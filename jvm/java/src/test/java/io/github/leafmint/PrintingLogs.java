package io.github.leafmint;

import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/** What stands behind SLF4J in tests: prints level, logger, marker and text, in processes that were started with its option. */
public final class PrintingLogs implements SLF4JServiceProvider {
    static final String ON = "-Dprinting.logs=true";

    private static final IMarkerFactory MARKERS = new BasicMarkerFactory();
    private static final MDCAdapter CONTEXT = new NOPMDCAdapter();

    @Override
    public void initialize() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        return PrintingLogger::new;
    }

    @Override
    public IMarkerFactory getMarkerFactory() {
        return MARKERS;
    }

    @Override
    public MDCAdapter getMDCAdapter() {
        return CONTEXT;
    }

    @Override
    public String getRequestedApiVersion() {
        return "2.0.99";
    }

    private static final class PrintingLogger extends LegacyAbstractLogger {
        private static final long serialVersionUID = 1;
        private static final boolean PRINTS = Boolean.getBoolean("printing.logs");

        PrintingLogger(String name) {
            this.name = name;
        }

        @Override
        protected void handleNormalizedLoggingCall(Level level, Marker marker, String text, Object[] arguments, Throwable thrown) {
            System.out.println(level + " " + name + " " + marker + " " + text);
        }

        @Override
        protected String getFullyQualifiedCallerName() {
            return null;
        }

        @Override
        public boolean isTraceEnabled() {
            return PRINTS;
        }

        @Override
        public boolean isDebugEnabled() {
            return PRINTS;
        }

        @Override
        public boolean isInfoEnabled() {
            return PRINTS;
        }

        @Override
        public boolean isWarnEnabled() {
            return PRINTS;
        }

        @Override
        public boolean isErrorEnabled() {
            return PRINTS;
        }
    }
}
