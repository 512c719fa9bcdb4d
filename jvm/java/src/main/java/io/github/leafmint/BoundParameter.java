package io.github.leafmint;

import static java.lang.StackWalker.Option.RETAIN_CLASS_REFERENCE;

import java.lang.StackWalker.StackFrame;
import java.sql.PreparedStatement;

/**
 * Finds out whether a JDBC driver serialises an object, to bind its bytes as a parameter. MySQL takes such bytes for 0:
 * {@code WHERE id = ?} finds row 0, and {@code WHERE id <> ?} finds all rows.
 */
final class BoundParameter {
    /** A driver serialises an object a few calls below its statement. */
    private static final int DEPTH = 40;

    private static final StackWalker CALLERS = StackWalker.getInstance(RETAIN_CLASS_REFERENCE);

    private BoundParameter() {}

    /** Returns whether a statement is among the callers. */
    static boolean isBeingBound() {
        try {
            return CALLERS.walk(frames -> frames.limit(DEPTH).anyMatch(BoundParameter::isOfStatement));
        } catch (NoClassDefFoundError withoutJdbc) {
            return false;
        }
    }

    private static boolean isOfStatement(StackFrame frame) {
        return PreparedStatement.class.isAssignableFrom(frame.getDeclaringClass());
    }
}
