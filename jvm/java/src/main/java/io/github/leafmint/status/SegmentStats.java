package io.github.leafmint.status;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The statistics of a segment generator at one moment.
 *
 * <pre>{@code
 * ids.stats().tags().forEach((tag, stats) -> System.out.println(tag + ": " + stats.issued() + " ids"));
 * }</pre>
 */
public interface SegmentStats {
    /** {@return the store, without credentials, and which processes share its ids} */
    String scope();

    /** {@return whether the store answered the last request; {@code true} before the first lease} */
    boolean storeUp();

    /** {@return the host in use, if the URL names several; otherwise {@code null}} */
    @Nullable
    String host();

    /**
     * {@return the number of leases that failed, by the {@linkplain io.github.leafmint.LeafmintException#code() code}
     * of their error, from 0 on; {@code other} for rare kinds}
     */
    Map<String, Long> failures();

    /** {@return the tags used so far, by name, sorted} */
    Map<String, TagStats> tags();
}
