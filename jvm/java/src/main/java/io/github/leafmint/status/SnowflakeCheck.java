package io.github.leafmint.status;

import io.github.leafmint.SnowflakeGenerator;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@link SnowflakeGenerator#check()}.
 *
 * <pre>{@code
 * SnowflakeCheck found = flakes.check();
 * System.out.println(found.freeWorkers() + " worker ids are free in " + found.scope());
 * }</pre>
 */
public interface SnowflakeCheck {
    /** {@return the holder, without credentials, and which processes share its worker ids} */
    String scope();

    /** {@return the kind of holder, as in the statistics} */
    String holder();

    /** {@return whether no process has used the namespace yet: the first id makes its tables or its directory} */
    boolean isNew();

    /** {@return the layout, as the holder keeps it} */
    String layout();

    /** {@return when the time bits run out} */
    Instant runsOut();

    /** {@return the number of worker ids that this generator may take} */
    long workers();

    /** {@return the number of those that no process holds now} */
    long freeWorkers();

    /** {@return how far the database's clock is ahead of this host's; {@code null} without a database} */
    @Nullable
    Duration clockSkew();
}
