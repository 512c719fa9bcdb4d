package start;

import org.slf4j.LoggerFactory;

/** Logs one line: what SLF4J costs without leafmint. */
final class FirstLine {
    private FirstLine() {}

    public static void main(String[] arguments) {
        LoggerFactory.getLogger("start").info("started");
    }
}
