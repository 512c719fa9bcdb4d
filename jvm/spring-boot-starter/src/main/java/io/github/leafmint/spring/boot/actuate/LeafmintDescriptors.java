package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.DecodedId;
import io.github.leafmint.Layout;
import io.github.leafmint.SnowflakeGenerator;
import io.github.leafmint.status.SegmentStats;
import io.github.leafmint.status.SnowflakeStats;
import io.github.leafmint.status.TagStats;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/** The answers of {@link LeafmintEndpoint}. What there is no value for is {@code null}, and absent in JSON. */
public final class LeafmintDescriptors {
    private LeafmintDescriptors() {}

    /**
     * All generators.
     *
     * @param segments the segment generators, by name
     * @param snowflakes the snowflake generators, by name
     */
    public record All(Map<String, Segments> segments, Map<String, Snowflakes> snowflakes)
            implements OperationResponseBody {}

    /**
     * A segment generator.
     *
     * @param scope the store, without credentials, and which processes share its ids
     * @param storeUp whether the store answered the last request
     * @param host the host in use, if the URL names several
     * @param failures leases that failed, by the code of their error
     * @param tags the tags used so far, by name
     */
    public record Segments(
            String scope, boolean storeUp, String host, Map<String, String> failures, Map<String, Tag> tags) {
        static Segments of(SegmentStats stats) {
            var tags = new LinkedHashMap<String, Tag>();
            stats.tags().forEach((name, tag) -> tags.put(name, Tag.of(tag)));
            var failures = new LinkedHashMap<String, String>();
            stats.failures().forEach((code, count) -> failures.put(code, count.toString()));
            return new Segments(stats.scope(), stats.storeUp(), stats.host(), failures, tags);
        }
    }

    /**
     * A tag in every generator that uses it.
     *
     * @param tag the name of the tag
     * @param segments what each segment generator has of it, by the name of the generator
     */
    public record TagOfGenerators(String tag, Map<String, Tag> segments) implements OperationResponseBody {}

    /**
     * A tag in one generator: the figures of {@link TagStats}.
     *
     * @param issued ids handed out
     * @param leased ids taken from the store
     * @param unused ids taken from the store, neither handed out nor given back
     * @param givenBack ids given back at the close
     * @param highestLeased the highest id that this process has leased
     * @param supplySeconds how long the ids in hand last at the current rate, in seconds
     * @param step the {@code step} column as last read
     * @param refills successful leases
     * @param refillFailures leases that failed
     * @param failuresInARow leases that failed since the last one that arrived
     * @param refillMillis the average round trip of a lease, in milliseconds
     * @param waits calls that had to wait
     * @param failedCalls calls that ended with an exception
     * @param numbersLeft numbers that fit the format of a series and are not leased in its present period
     * @param numbersLastSeconds how long these last at the pace of the period so far, in seconds
     * @param lastError the last failure, without credentials
     * @param lastErrorCode the code of its error
     * @param lastErrorAt when it occurred, in ISO 8601
     */
    public record Tag(
            String issued,
            String leased,
            String unused,
            String givenBack,
            String highestLeased,
            Double supplySeconds,
            String step,
            String refills,
            String refillFailures,
            String failuresInARow,
            Double refillMillis,
            String waits,
            String failedCalls,
            String numbersLeft,
            Double numbersLastSeconds,
            String lastError,
            String lastErrorCode,
            String lastErrorAt) {
        static Tag of(TagStats stats) {
            return new Tag(
                    Long.toString(stats.issued()),
                    Long.toString(stats.leased()),
                    Long.toString(stats.unused()),
                    Long.toString(stats.givenBack()),
                    Long.toString(stats.highestLeased()),
                    seconds(stats.supply()),
                    Long.toString(stats.step()),
                    Long.toString(stats.refills()),
                    Long.toString(stats.refillFailures()),
                    Long.toString(stats.failuresInARow()),
                    millis(stats.refillDuration()),
                    Long.toString(stats.waits()),
                    Long.toString(stats.failedCalls()),
                    count(stats.numbersLeft()),
                    seconds(stats.numbersLast()),
                    stats.lastError(),
                    stats.lastErrorCode(),
                    time(stats.lastErrorAt()));
        }
    }

    /**
     * A snowflake generator.
     *
     * @param scope the holder, without credentials, and which processes share its worker ids
     * @param holder the kind of holder
     * @param namespace the namespace of the worker ids
     * @param host the host in use, if the URL names several
     * @param holderUp whether the last attempt to take or extend a lease succeeded
     * @param workerId the current worker id
     * @param horizon up to when it is reserved, in ISO 8601
     * @param horizonSeconds how far ahead that is, in seconds
     * @param clockLeadMillis how far ids are ahead of the wall clock, in milliseconds
     * @param heartbeatMillis the average round trip of a heartbeat, in milliseconds
     * @param waits calls that had to wait
     * @param failedCalls calls that ended with an exception
     * @param leaseFailures failed attempts to take or extend a lease
     * @param leasesLost leases that another process took
     * @param lastError the last failure, without credentials
     * @param lastErrorCode the code of its error
     * @param lastErrorAt when it occurred, in ISO 8601
     * @param layout the layout of the ids
     */
    public record Snowflakes(
            String scope,
            String holder,
            String namespace,
            String host,
            boolean holderUp,
            Long workerId,
            String horizon,
            Double horizonSeconds,
            Long clockLeadMillis,
            Double heartbeatMillis,
            String waits,
            String failedCalls,
            String leaseFailures,
            String leasesLost,
            String lastError,
            String lastErrorCode,
            String lastErrorAt,
            LayoutOfIds layout) {
        static Snowflakes of(SnowflakeGenerator generator) {
            SnowflakeStats stats = generator.stats();
            return new Snowflakes(
                    stats.scope(),
                    stats.holder(),
                    stats.namespace(),
                    stats.host(),
                    stats.holderUp(),
                    stats.workerId(),
                    horizonOf(stats),
                    seconds(stats.horizon()),
                    stats.clockLead().toMillis(),
                    millis(stats.heartbeatDuration()),
                    Long.toString(stats.waits()),
                    Long.toString(stats.failedCalls()),
                    Long.toString(stats.leaseFailures()),
                    Long.toString(stats.leasesLost()),
                    stats.lastError(),
                    stats.lastErrorCode(),
                    time(stats.lastErrorAt()),
                    LayoutOfIds.of(generator.layout()));
        }
    }

    /**
     * A layout.
     *
     * @param fingerprint all bits, the unit and the epoch
     * @param epoch the start of tick 0, in ISO 8601
     * @param runsOut the end of the last tick, in ISO 8601
     */
    public record LayoutOfIds(String fingerprint, String epoch, String runsOut) {
        static LayoutOfIds of(Layout layout) {
            return new LayoutOfIds(
                    layout.fingerprint(),
                    layout.epoch().toString(),
                    layout.runsOut().toString());
        }
    }

    /**
     * A snowflake, decoded.
     *
     * @param id the id
     * @param snowflakes its parts by the layout of each snowflake generator that it fits, by the name of the generator
     */
    public record Decoded(String id, Map<String, DecodedParts> snowflakes) implements OperationResponseBody {}

    /**
     * The parts of a snowflake.
     *
     * @param timestamp the start of its tick, in ISO 8601
     * @param datacenterId the datacenter id; 0 if the layout has no bits for it
     * @param workerId the worker id
     * @param sequence the sequence number within the tick
     * @param gene the gene; 0 if the layout has no bits for it
     * @param layout the fingerprint of the layout
     */
    public record DecodedParts(
            String timestamp, long datacenterId, long workerId, long sequence, long gene, String layout) {
        static DecodedParts of(DecodedId parts, Layout layout) {
            return new DecodedParts(
                    parts.timestamp().toString(),
                    parts.datacenterId(),
                    parts.workerId(),
                    parts.sequence(),
                    parts.gene(),
                    layout.fingerprint());
        }
    }

    /** Returns up to when a worker id is reserved for this process, in ISO 8601; {@code null} without a worker id. */
    static String horizonOf(SnowflakeStats stats) {
        if (stats.horizon() == null) {
            return null;
        }
        // Horizons are times of the generator's clock, which can be ahead of the wall clock.
        Instant horizon = Instant.now().plus(stats.horizon()).plus(stats.clockLead());
        return horizon.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    static String time(Instant time) {
        return time == null ? null : time.toString();
    }

    static String count(Long count) {
        return count == null ? null : count.toString();
    }

    static Double seconds(Duration duration) {
        return duration == null ? null : duration.toSeconds() + duration.getNano() / 1e9;
    }

    private static Double millis(Duration duration) {
        return duration == null ? null : seconds(duration) * 1000;
    }
}
