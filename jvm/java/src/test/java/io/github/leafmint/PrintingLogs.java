package io.github.leafmint;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.ILoggerFactory;
import org.slf4j.IMarkerFactory;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.BasicMarkerFactory;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.NOPMDCAdapter;
import org.slf4j.spi.MDCAdapter;
import org.slf4j.spi.SLF4JServiceProvider;

/**
 * The SLF4J provider of the tests: prints level, logger, marker and text in processes that were started with the option
 * {@link #ON}.
 */
public final class PrintingLogs implements SLF4JServiceProvider {
    public static final String ON = "-Dprinting.logs=true";

    /** The number of first calls that throw an error. */
    public static final String FAILURES = "-Dprinting.logs.failures=";

    /** The name of the event whose call never returns. */
    public static final String HANGS_IN = "-Dprinting.logs.hangs.in=";

    private static final IMarkerFactory MARKERS = new BasicMarkerFactory();
    private static final MDCAdapter CONTEXT = new NOPMDCAdapter();

    @Override
    public void initialize() {}

    @Override
    public ILoggerFactory getLoggerFactory() {
        // No lambda: a test counts those of a first id.
        return new ILoggerFactory() {
            @Override
            public Logger getLogger(String name) {
                return new PrintingLogger(name);
            }
        };
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
        private static final AtomicInteger FAILURES =
                new AtomicInteger(Integer.getInteger("printing.logs.failures", 0));
        private static final String HANGS_IN = System.getProperty("printing.logs.hangs.in");

        PrintingLogger(String name) {
            this.name = name;
        }

        @Override
        protected void handleNormalizedLoggingCall(
                Level level, Marker marker, String text, Object[] arguments, Throwable thrown) {
            if (FAILURES.getAndDecrement() > 0) {
                throw new StackOverflowError("of the logger");
            }
            while (marker.getName().equals(HANGS_IN)) {
                LockSupport.park();
            }
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
