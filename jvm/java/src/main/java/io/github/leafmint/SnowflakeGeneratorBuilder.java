package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Opens a snowflake generator with options. The same options can stand in the URL; those given here win.
 *
 * <p>Values are checked by {@link #open()}, all at once.
 *
 * <pre>{@code
 * var flakes = SnowflakeGenerator.builder("local:///var/lib/leafmint")
 *         .layout("wide")
 *         .epoch(Instant.parse("2025-01-01T00:00:00Z"))
 *         .open();
 * }</pre>
 */
public final class SnowflakeGeneratorBuilder {
    private final GivenOptions given;
    private String[] workerMap;

    SnowflakeGeneratorBuilder(String url) {
        given = new GivenOptions(url);
    }

    /**
     * Sets the longest wait of one call. Default: 5 s.
     *
     * @param timeout from 0 to a year
     * @return this builder
     */
    public SnowflakeGeneratorBuilder timeout(Duration timeout) {
        return option("timeout", requireNonNull(timeout, "timeout"));
    }

    /**
     * Sets the longest wait for one connection, statement or lock of the database, on mysql. Default: 3 s.
     *
     * @param connectTimeout more than 0
     * @return this builder
     */
    public SnowflakeGeneratorBuilder connectTimeout(Duration connectTimeout) {
        return option("connect_timeout", requireNonNull(connectTimeout, "connectTimeout"));
    }

    /**
     * Sets the account of the database, on mysql. Default: the URL's.
     *
     * @param user a name
     * @return this builder
     */
    public SnowflakeGeneratorBuilder user(String user) {
        return option("user", requireNonNull(user, "user"));
    }

    /**
     * Sets the password of the account, on mysql: for those that hold {@code @}, {@code :} or {@code /}.
     *
     * @param password the password; it is never shown
     * @return this builder
     */
    public SnowflakeGeneratorBuilder password(String password) {
        return option("password", requireNonNull(password, "password"));
    }

    /**
     * Says whether and how sessions with the database are encrypted, on mysql. Default: {@code preferred}.
     *
     * @param sslMode disabled, preferred, required, verify_ca or verify_identity
     * @return this builder
     */
    public SnowflakeGeneratorBuilder sslMode(String sslMode) {
        return option("ssl_mode", requireNonNull(sslMode, "sslMode"));
    }

    /**
     * Names the PEM file with the authorities to trust, on mysql. Default: the built-in ones.
     *
     * @param sslCa the path of a file
     * @return this builder
     */
    public SnowflakeGeneratorBuilder sslCa(String sslCa) {
        return option("ssl_ca", requireNonNull(sslCa, "sslCa"));
    }

    /**
     * Says how a database gives worker ids out, on mysql. Default: {@code lease}.
     *
     * @param workerMode lease (any free one) or fixed (the endpoint's, in leaf_workerid_alloc)
     * @return this builder
     */
    public SnowflakeGeneratorBuilder workerMode(String workerMode) {
        return option("worker_mode", requireNonNull(workerMode, "workerMode"));
    }

    /**
     * Sets how far this host's clock may be off at the start, on mysql. Default: 10 s.
     *
     * @param maxClockSkew from 0 to a year
     * @return this builder
     */
    public SnowflakeGeneratorBuilder maxClockSkew(Duration maxClockSkew) {
        return option("max_clock_skew", requireNonNull(maxClockSkew, "maxClockSkew"));
    }

    /**
     * Says whether to take a worker id at open, or fail there. Default: false.
     *
     * @param eager whether to
     * @return this builder
     */
    public SnowflakeGeneratorBuilder eager(boolean eager) {
        return option("eager", Boolean.toString(eager));
    }

    /**
     * Sets the namespace: worker ids are unique within it, and its layout is fixed. Default: {@code default}.
     *
     * <p>Two namespaces may repeat each other's ids.
     *
     * @param namespace 1 to 64 letters, digits, {@code _}, {@code .} or {@code -}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder namespace(String namespace) {
        return option("namespace", requireNonNull(namespace, "namespace"));
    }

    /**
     * Says which bits mean what. Default: {@code leaf}.
     *
     * @param layout a preset or bits, as for {@link Layout#of(String)}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder layout(String layout) {
        return option("layout", requireNonNull(layout, "layout"));
    }

    /**
     * Sets when tick 0 starts. Default: the layout's preset.
     *
     * @param epoch from 1970 on, in whole milliseconds
     * @return this builder
     */
    public SnowflakeGeneratorBuilder epoch(Instant epoch) {
        return option("epoch", Long.toString(Layout.millis(requireNonNull(epoch, "epoch"))));
    }

    /**
     * Names the worker ids that may be taken. Default: all that the layout allows.
     *
     * @param workers for example {@code 0-31} or {@code 5,7}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder workers(String workers) {
        return option("workers", requireNonNull(workers, "workers"));
    }

    /**
     * Sets the datacenter, for layouts with datacenter bits. Default: 0.
     *
     * @param datacenterId 0 or more, within its bits
     * @return this builder
     */
    public SnowflakeGeneratorBuilder datacenterId(long datacenterId) {
        return option("datacenter_id", Long.toString(datacenterId));
    }

    /**
     * Fixes the worker id of every endpoint, with the store {@code local:}. Default: none. {@link #endpoint} says which one is ours.
     *
     * @param workerMap worker ids by endpoint, for example by {@code 10.0.0.1:8080}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder workerMap(Map<String, Long> workerMap) {
        this.workerMap = requireNonNull(workerMap, "workerMap").entrySet().stream()
                .map(entry -> requireNonNull(entry.getKey(), "workerMap") + "=" + requireNonNull(entry.getValue(), "workerMap"))
                .toArray(String[]::new);
        return this;
    }

    /**
     * Says who claims a worker id. Default: host, process id and a random part; required with {@link #workerMap}.
     *
     * @param endpoint for example {@code 10.0.0.1:8080}
     * @return this builder
     */
    public SnowflakeGeneratorBuilder endpoint(String endpoint) {
        return option("endpoint", requireNonNull(endpoint, "endpoint"));
    }

    /**
     * Sets how far ahead time is reserved. Default: 3 s; on mysql 10 minutes, or 24 hours where the mode is fixed.
     *
     * @param leaseDuration at least two heartbeats
     * @return this builder
     */
    public SnowflakeGeneratorBuilder leaseDuration(Duration leaseDuration) {
        return option("lease_duration", requireNonNull(leaseDuration, "leaseDuration"));
    }

    /**
     * Sets how often time is reserved. Default: 1 s; on mysql 10 s.
     *
     * @param heartbeat 10 ms or more
     * @return this builder
     */
    public SnowflakeGeneratorBuilder heartbeat(Duration heartbeat) {
        return option("heartbeat", requireNonNull(heartbeat, "heartbeat"));
    }

    /**
     * Names the directory of lock and state files, with {@code fixed:}. Default: the user's state directory.
     *
     * @param stateDir the path of a directory
     * @return this builder
     */
    public SnowflakeGeneratorBuilder stateDir(String stateDir) {
        return option("state_dir", requireNonNull(stateDir, "stateDir"));
    }

    /**
     * Says what to do where the wall clock is behind the ids. Default: {@code continue}.
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
     * @param maxClockLead from 0 to a year
     * @return this builder
     */
    public SnowflakeGeneratorBuilder maxClockLead(Duration maxClockLead) {
        return option("max_clock_lead", requireNonNull(maxClockLead, "maxClockLead"));
    }

    /**
     * Has a tick begin at a random sequence below this, so that slow traffic does not land on one shard. Default: 100.
     *
     * @param sequenceJitter 0 or more; at most half the sequence space counts
     * @return this builder
     */
    public SnowflakeGeneratorBuilder sequenceJitter(long sequenceJitter) {
        return option("sequence_jitter", Long.toString(sequenceJitter));
    }

    /**
     * Sets whether a generator that is still open is closed when the virtual machine exits. Default: true.
     *
     * <p>It is closed after every other shutdown hook has ended, so that a server that drains in a hook goes on minting. With false
     * nothing is closed then, and what is not used is not given back: the application closes by itself.
     *
     * @param closeAtExit whether to close it
     * @return this builder
     */
    public SnowflakeGeneratorBuilder closeAtExit(boolean closeAtExit) {
        return option("close_at_exit", Boolean.toString(closeAtExit));
    }

    /**
     * Sets any option by its name in the table of options, as text.
     *
     * @param name for example {@code lease_duration}
     * @param value for example {@code 3s}
     * @return this builder
     * @see Leafmint#snowflakeOptions()
     */
    public SnowflakeGeneratorBuilder option(String name, String value) {
        given.add(name, value);
        return this;
    }

    /**
     * Opens the generator.
     *
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@link #eager}, what the first id would throw
     */
    public SnowflakeGenerator open() {
        NativeLibrary.require();
        return SnowflakeGenerator.open(given.url(), given.namesAndValues(), GivenOptions.list("worker_map", workerMap));
    }

    private SnowflakeGeneratorBuilder option(String name, Duration value) {
        given.add(name, value);
        return this;
    }
}
