package io.github.leafmint.status;

import io.github.leafmint.SegmentGenerator;
import java.time.Duration;

/**
 * The result of {@link SegmentGenerator#check()}.
 *
 * <pre>{@code
 * SegmentCheck found = ids.check();
 * System.out.println(found.tags() + " tags in " + found.scope());
 * }</pre>
 */
public interface SegmentCheck {
    /** {@return the store, without credentials, and which processes share its ids} */
    String scope();

    /** {@return whether there is no table or file yet: the first id makes it} */
    boolean isNew();

    /** {@return the number of tags} */
    long tags();

    /** {@return whether the account may create tags} */
    boolean createsTags();

    /** {@return how long the store took to answer, with connecting} */
    Duration roundTrip();
}
