package io.github.leafmint.internal.lending;

import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.sql.SQLRecoverableException;
import java.sql.SQLTransientConnectionException;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Describes what a driver or a pool throws. */
final class DriverFailure {
    /** Longest chain of causes that is followed: one may be a circle. */
    static final int MOST_CAUSES = 16;

    private DriverFailure() {}

    /** Describes the failure of a statement. */
    static Ran.Failed ofStatement(Throwable failure) {
        return failure instanceof SQLException answer
                ? described(answer, textOf(failure), isLost(answer))
                : new Ran.Failed(null, null, textOf(failure), true);
    }

    /** Describes why there is no connection. Pools keep what the server said in a cause. */
    static Ran.Failed ofConnecting(Throwable failure) {
        SQLException answer = answerBehind(failure);
        String text = textOf(failure);
        if (answer == null) {
            return new Ran.Failed(null, null, text, true);
        }
        String said = textOf(answer);
        return described(answer, text.contains(said) ? text : text + ": " + said, isLost(answer));
    }

    private static Ran.Failed described(SQLException answer, String text, boolean isLost) {
        int number = answer.getErrorCode();
        // Drivers report 0 or -1 if the server did not answer.
        return new Ran.Failed(number == 0 || number == -1 ? null : number, answer.getSQLState(), text, isLost);
    }

    /** Returns the deepest exception that has a number or a state. */
    private static @Nullable SQLException answerBehind(Throwable failure) {
        SQLException answer = null;
        Throwable at = failure;
        for (int depth = 0; at != null && depth < MOST_CAUSES; depth++) {
            if (at instanceof SQLException found && (found.getErrorCode() != 0 || found.getSQLState() != null)) {
                answer = found;
            }
            at = at.getCause();
        }
        return answer;
    }

    private static boolean isLost(SQLException failure) {
        String state = failure.getSQLState();
        return state != null && state.startsWith("08")
                || state == null && failure.getErrorCode() == 0
                || failure instanceof SQLNonTransientConnectionException
                || failure instanceof SQLTransientConnectionException
                || failure instanceof SQLRecoverableException;
    }

    private static String textOf(Throwable failure) {
        String message = failure.getMessage();
        return withoutSecrets(
                failure instanceof SQLException && message != null && !message.isBlank()
                        ? message.strip()
                        : failure.toString());
    }

    /** Returns a text without the passwords that drivers print with their URLs. */
    static String withoutSecrets(String text) {
        return Secrets.ASSIGNED
                .matcher(Secrets.USER.matcher(text).replaceAll("//***@"))
                .replaceAll("$1=***");
    }

    /** Loaded with the first failure: regular expressions would cost the first id milliseconds. */
    private static final class Secrets {
        static final Pattern USER = Pattern.compile("//[^/\\s?@(]*@");
        static final Pattern ASSIGNED =
                Pattern.compile("(?i)\\b(\\w*(?:password|passwd|pwd|secret|token))=[^\\s&;,)\"']*");
    }
}
