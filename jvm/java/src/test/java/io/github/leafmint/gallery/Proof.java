package io.github.leafmint.gallery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.lang.reflect.Method;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.function.Executable;

/** Runs the test of a {@link Row}. */
final class Proof implements InvocationInterceptor {
    private static final Set<String> OUTCOMES = Set.of("right", "loud", "silent");

    @Override
    public void interceptTestMethod(
            Invocation<Void> test, ReflectiveInvocationContext<Method> of, ExtensionContext context) throws Throwable {
        Row row = of.getExecutable().getAnnotation(Row.class);
        boolean loud = row.outcome().equals("loud");
        assertTrue(OUTCOMES.contains(row.outcome()), row.outcome());
        assertEquals(loud, !row.match().isEmpty(), "a loud row says what matches, another does not");
        if (loud) {
            refused(test::proceed, row.match());
        } else {
            test.proceed();
        }
    }

    /** Checks that a use is refused by an exception, of whatever class, that says what it must. */
    static void refused(Executable use, String match) {
        Throwable thrown = null;
        try {
            use.execute();
        } catch (Throwable failure) {
            thrown = failure;
        }
        if (thrown == null || thrown instanceof AssertionError) {
            fail("was to fail", thrown);
        }
        boolean says = Stream.iterate(Optional.of(thrown), Optional::isPresent, it -> it.map(Throwable::getCause))
                .anyMatch(it ->
                        Pattern.compile(match).matcher(it.get().toString()).find());
        if (!says) {
            fail("was to say " + match, thrown);
        }
    }
}
