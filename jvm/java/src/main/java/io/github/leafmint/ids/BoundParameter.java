package io.github.leafmint.ids;

import static java.lang.StackWalker.Option.RETAIN_CLASS_REFERENCE;

import java.io.ObjectOutputStream;
import java.lang.StackWalker.StackFrame;
import java.sql.PreparedStatement;
import java.util.Set;

/**
 * Finds out whether a JDBC driver serialises an id, to bind its bytes as a parameter. MySQL takes such bytes for 0:
 * {@code WHERE id = ?} finds row 0, and {@code WHERE id <> ?} finds all rows. An id that is a field of a serialised
 * object, which an application stores, is none.
 */
final class BoundParameter {
    /** A driver serialises an object a few calls below its statement. */
    private static final int DEPTH = 40;

    /** What writes the fields of objects and of records. If a JDK renames them, their ids are refused, too. */
    private static final Set<String> WRITES_FIELDS = Set.of("defaultWriteFields", "writeRecordData");

    private static final StackWalker CALLERS = StackWalker.getInstance(RETAIN_CLASS_REFERENCE);

    private BoundParameter() {}

    /** Returns whether a statement is among the callers, and no object is between it and the id. */
    static boolean isBeingBound() {
        try {
            return CALLERS.walk(frames -> frames.limit(DEPTH)
                    .takeWhile(frame -> !writesFields(frame))
                    .anyMatch(BoundParameter::isOfStatement));
        } catch (NoClassDefFoundError withoutJdbc) {
            return false;
        }
    }

    private static boolean writesFields(StackFrame frame) {
        return frame.getDeclaringClass() == ObjectOutputStream.class && WRITES_FIELDS.contains(frame.getMethodName());
    }

    private static boolean isOfStatement(StackFrame frame) {
        return PreparedStatement.class.isAssignableFrom(frame.getDeclaringClass());
    }
}
