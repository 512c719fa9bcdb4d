package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Opens a snowflake generator with options. An option that is set here takes precedence over the same option in the
 * URL.
 *
 * <p>{@link #open()} checks all values at once.
 *
 * <pre>{@code
 * var flakes = SnowflakeGenerator.builder("local:///var/lib/leafmint")
 *         .layout("wide")
 *         .epoch(Instant.parse("2025-01-01T00:00:00Z"))
 *         .open();
 * }</pre>
 */
public final class SnowflakeGeneratorBuilder extends GeneratorBuilder<SnowflakeGeneratorBuilder> {
    /** The clock that only a test moves; {@code null} for a generator on a real clock. */
    private @Nullable VirtualClock virtualClock;

    private long virtualWorkerId;

    SnowflakeGeneratorBuilder(String url) {
        super(url);
    }

    @Override
    SnowflakeGeneratorBuilder self() {
        return this;
    }

    /**
     * Sets the namespace: worker ids are unique within it, and all its generators have the same layout. Default:
     * {@code default}.
     *
     * <p>Two namespaces may mint the same ids.
     *
     * @param namespace 1 to 64 letters, digits, {@code _}, {@code .} or {@code -}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder namespace(String namespace) {
        return option("namespace", requireNonNull(namespace, "namespace"));
    }

    /**
     * Sets the layout of the ids. Default: {@code leaf}.
     *
     * @param layout a preset or bits, as for {@link Layout#of(String)}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder layout(String layout) {
        return option("layout", requireNonNull(layout, "layout"));
    }

    /**
     * Sets the start of tick 0. Default: the epoch of the preset.
     *
     * @param epoch 1970 or later, in whole milliseconds
     * @return this builder
     */
    public SnowflakeGeneratorBuilder epoch(Instant epoch) {
        return option("epoch", requireNonNull(epoch, "epoch"));
    }

    /**
     * Sets the worker ids that this generator may take. Default: all that the layout allows.
     *
     * @param workers for example {@code 0-31} or {@code 5,7}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder workers(String workers) {
        return option("workers", requireNonNull(workers, "workers"));
    }

    /**
     * Sets the datacenter id, for layouts with datacenter bits. Default: 0.
     *
     * @param datacenterId 0 or more, within its bits
     * @return this builder
     */
    public SnowflakeGeneratorBuilder datacenterId(long datacenterId) {
        return option("datacenter_id", datacenterId);
    }

    /**
     * Sets the worker id of every endpoint, with {@code local:}. Default: none. {@link #endpoint} selects the entry of
     * this process.
     *
     * @param workerMap worker ids by endpoint, for example {@code Map.of("10.0.0.1:8080", 1L)}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder workerMap(Map<String, Long> workerMap) {
        return option("worker_map", requireNonNull(workerMap, "workerMap"));
    }

    /**
     * Sets the environment variable that holds the name or the ordinal of this pod, with {@code fixed:ordinal} or
     * {@code workers=ordinal}. Default: none, the host name.
     *
     * @param ordinalEnv for example {@code POD_INDEX}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder ordinalEnv(String ordinalEnv) {
        return option("ordinal_env", requireNonNull(ordinalEnv, "ordinalEnv"));
    }

    /**
     * Sets the worker id of ordinal 0, with {@code fixed:ordinal} or {@code workers=ordinal}, so that several
     * StatefulSets may share the worker ids. Default: 0.
     *
     * @param ordinalOffset 0 or more, within the worker ids of the layout
     * @return this builder
     */
    public SnowflakeGeneratorBuilder ordinalOffset(long ordinalOffset) {
        return option("ordinal_offset", ordinalOffset);
    }

    /**
     * Sets the name under which this process claims a worker id. Default: host, process id and a random part; required
     * with {@link #workerMap}.
     *
     * @param endpoint for example {@code 10.0.0.1:8080}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder endpoint(String endpoint) {
        return option("endpoint", requireNonNull(endpoint, "endpoint"));
    }

    /**
     * Sets how a database or ZooKeeper assigns worker ids. Default: {@code lease}.
     *
     * @param workerMode {@code lease} (any free worker id), {@code fixed} (the one that {@code leaf_workerid_alloc}
     *     holds for the {@link #endpoint}, with a database) or {@code forever} (the one that Leaf's tree holds for it,
     *     with {@code zookeeper:})
     * @return this builder
     */
    public SnowflakeGeneratorBuilder workerMode(String workerMode) {
        return option("worker_mode", requireNonNull(workerMode, "workerMode"));
    }

    /**
     * Sets how far ahead time is reserved. Default: 3 s; with {@code mysql:} 10 min, or 24 h in the mode {@code fixed}.
     *
     * @param leaseDuration at least two heartbeats
     * @return this builder
     */
    public SnowflakeGeneratorBuilder leaseDuration(Duration leaseDuration) {
        return option("lease_duration", requireNonNull(leaseDuration, "leaseDuration"));
    }

    /**
     * Sets how often time is reserved. Default: 1 s; with {@code mysql:} 10 s.
     *
     * @param heartbeat 10 ms or more
     * @return this builder
     */
    public SnowflakeGeneratorBuilder heartbeat(Duration heartbeat) {
        return option("heartbeat", requireNonNull(heartbeat, "heartbeat"));
    }

    /**
     * Sets the directory of lock and state files, with {@code fixed:} and a database; {@code none} does without in a
     * database. Default: {@code $XDG_STATE_HOME/leafmint} or {@code ~/.local/state/leafmint}.
     *
     * @param stateDir the path of a directory
     * @return this builder
     */
    public SnowflakeGeneratorBuilder stateDir(String stateDir) {
        return option("state_dir", requireNonNull(stateDir, "stateDir"));
    }

    /**
     * Sets the clock that ids are stamped with. Default: {@code auto}.
     *
     * @param clock {@code auto}, the processor's counter if the kernel keeps time with it, or {@code system}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder clock(String clock) {
        return option("clock", requireNonNull(clock, "clock"));
    }

    /**
     * Sets what happens if the wall clock is behind the ids. Default: {@code continue}.
     *
     * @param clockRollback {@code continue}, {@code wait} or {@code fail}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder clockRollback(String clockRollback) {
        return option("clock_rollback", requireNonNull(clockRollback, "clockRollback"));
    }

    /**
     * Sets how far ids may be ahead of the wall clock. Default: 2 h.
     *
     * @param maxClockLead 0 to one year
     * @return this builder
     */
    public SnowflakeGeneratorBuilder maxClockLead(Duration maxClockLead) {
        return option("max_clock_lead", requireNonNull(maxClockLead, "maxClockLead"));
    }

    /**
     * Sets how far this host's clock may be off when a generator starts, with {@code mysql:}. Default: 10 s.
     *
     * @param maxClockSkew 0 to one year
     * @return this builder
     */
    public SnowflakeGeneratorBuilder maxClockSkew(Duration maxClockSkew) {
        return option("max_clock_skew", requireNonNull(maxClockSkew, "maxClockSkew"));
    }

    /**
     * Sets the bound of the random sequence number at which a new tick starts, so that slow traffic spreads over the
     * shards. Default: 100.
     *
     * @param sequenceJitter 0 or more; at most half the sequence numbers of a tick are used
     * @return this builder
     */
    public SnowflakeGeneratorBuilder sequenceJitter(long sequenceJitter) {
        return option("sequence_jitter", sequenceJitter);
    }

    /**
     * Opens the generator on a clock that only a test moves, whatever the URL is: see
     * {@link SnowflakeGenerator#builder(VirtualClock, long)}. For a builder that other code has made.
     *
     * @param clock the clock
     * @param workerId 0 or more, within the worker bits of the layout
     * @return this builder
     */
    public SnowflakeGeneratorBuilder inVirtualTime(VirtualClock clock, long workerId) {
        virtualClock = requireNonNull(clock, "clock");
        virtualWorkerId = workerId;
        return this;
    }

    /**
     * Opens the generator.
     *
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@link #eager}, also what the first id would throw
     */
    public SnowflakeGenerator open() {
        NativeLibrary.require();
        var options = new OptionValues(options());
        return virtualClock == null
                ? SnowflakeGenerator.open(url(), options, credentials())
                : SnowflakeGenerator.open(virtualClock, virtualWorkerId, options);
    }
}
