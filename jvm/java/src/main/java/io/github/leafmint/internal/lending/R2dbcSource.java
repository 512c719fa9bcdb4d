package io.github.leafmint.internal.lending;

import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.R2dbcNonTransientResourceException;
import io.r2dbc.spi.R2dbcTransientResourceException;
import io.r2dbc.spi.Wrapped;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A connection factory of R2DBC. */
public final class R2dbcSource implements ConnectionSource {
    /** What factories print of their configuration, apart from secrets: a URL or fields. */
    private static final Pattern PLACE =
            Pattern.compile("\\b(?:host|port|database|schema|username)='?[^',\\]}]+|\\br2dbc:[^',\\]}]+");

    private final ConnectionFactory factory;
    private final String name;

    public R2dbcSource(ConnectionFactory factory) {
        this.factory = factory;
        name = nameOf(factory);
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public ClassLoader loader() {
        return factory.getClass().getClassLoader();
    }

    @Override
    public LentConnection connect() throws Exception {
        // A pool is wrapped around what connects.
        return R2dbcConnection.of(factory, factory instanceof Wrapped<?>);
    }

    @Override
    public Ran.Failed describe(Throwable failure) {
        return failed(failure);
    }

    /** Describes what a driver or a pool throws. */
    static Ran.Failed failed(Throwable failure) {
        R2dbcException answer = answerBehind(failure);
        String text = DriverFailure.withoutSecrets(failure.toString());
        if (answer == null) {
            return new Ran.Failed(null, null, text, true);
        }
        int number = answer.getErrorCode();
        String state = answer.getSqlState();
        boolean isLost = state != null && state.startsWith("08")
                || answer instanceof R2dbcNonTransientResourceException && number == 0
                || answer instanceof R2dbcTransientResourceException && number == 0;
        return new Ran.Failed(number == 0 ? null : number, state, text, isLost);
    }

    /** Returns what a server answered, if a failure is about that. */
    public static @Nullable R2dbcException answerBehind(Throwable failure) {
        R2dbcException answer = null;
        Throwable at = failure;
        for (int depth = 0; at != null && depth < DriverFailure.MOST_CAUSES; depth++) {
            if (at instanceof R2dbcException found && (answer == null || found.getSqlState() != null)) {
                answer = found;
            }
            at = at.getCause();
        }
        return answer;
    }

    private static String nameOf(ConnectionFactory factory) {
        List<String> place = new ArrayList<>();
        Matcher found = PLACE.matcher(String.valueOf(R2dbcProduct.unwrapped(factory)));
        while (found.find()) {
            place.add(DataSourceNames.ofUrl(found.group().replace("='", "=")));
        }
        String product = factory.getMetadata().getName();
        // H2's says nothing, and may have a database in memory that no other has.
        String where = place.isEmpty() ? DataSourceNames.numbered(factory) : " (" + String.join(", ", place) + ")";
        return "ConnectionFactory of " + product + where;
    }
}
