package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Opens a generator with options. The same options can stand in the URL; those given here win.
 *
 * <p>Values are checked by {@link #open()}, all at once.
 *
 * <pre>{@code
 * var ids = SegmentGenerator.builder("mysql://h1,h2/shop")
 *         .user("shop")
 *         .password(System.getenv("DB_PASSWORD"))
 *         .timeout(Duration.ofMillis(500))
 *         .open();
 * }</pre>
 */
public final class SegmentGeneratorBuilder {
    private final GivenOptions given;
    private String[] tags;

    SegmentGeneratorBuilder(String url) {
        given = new GivenOptions(url);
    }

    /**
     * Sets the longest wait of one call. Default: 5 s.
     *
     * @param timeout from 0 to a year
     * @return this builder
     */
    public SegmentGeneratorBuilder timeout(Duration timeout) {
        return option("timeout", requireNonNull(timeout, "timeout"));
    }

    /**
     * Sets the longest wait for one connection, statement or lock of the store. Default: 3 s.
     *
     * @param connectTimeout more than 0, at most a year
     * @return this builder
     */
    public SegmentGeneratorBuilder connectTimeout(Duration connectTimeout) {
        return option("connect_timeout", requireNonNull(connectTimeout, "connectTimeout"));
    }

    /**
     * Sets the account of the database. Default: the URL's.
     *
     * @param user the account
     * @return this builder
     */
    public SegmentGeneratorBuilder user(String user) {
        return option("user", requireNonNull(user, "user"));
    }

    /**
     * Sets the password of the account. Default: the URL's.
     *
     * @param password the password, as it is: nothing in it needs escaping
     * @return this builder
     */
    public SegmentGeneratorBuilder password(String password) {
        return option("password", requireNonNull(password, "password"));
    }

    /**
     * Says how connections are encrypted. Default: {@code preferred}.
     *
     * @param sslMode {@code disabled}, {@code preferred}, {@code required}, {@code verify_ca} or
     *     {@code verify_identity}
     * @return this builder
     */
    public SegmentGeneratorBuilder sslMode(String sslMode) {
        return option("ssl_mode", requireNonNull(sslMode, "sslMode"));
    }

    /**
     * Names the file with the authorities to trust. Default: the built-in ones.
     *
     * @param sslCa the path of a PEM file
     * @return this builder
     */
    public SegmentGeneratorBuilder sslCa(String sslCa) {
        return option("ssl_ca", requireNonNull(sslCa, "sslCa"));
    }

    /**
     * Says whether to connect, check and take supply at open, or fail there. Default: false.
     *
     * @param eager whether to
     * @return this builder
     */
    public SegmentGeneratorBuilder eager(boolean eager) {
        return option("eager", Boolean.toString(eager));
    }

    /**
     * Names the tags that {@link #eager} readies. Default: none.
     *
     * @param tags their names, which may hold commas
     * @return this builder
     */
    public SegmentGeneratorBuilder tags(String... tags) {
        this.tags = requireNonNull(tags, "tags").clone();
        for (String tag : this.tags) {
            requireNonNull(tag, "tags");
        }
        return this;
    }

    /**
     * Sets the steady-state ceiling of one lease, in ids; equal to a tag's step, Leaf's own rule holds. Default:
     * 1,000,000.
     *
     * @param maxStep from 1 to 2<sup>30</sup>
     * @return this builder
     */
    public SegmentGeneratorBuilder maxStep(long maxStep) {
        return option("max_step", Long.toString(maxStep));
    }

    /**
     * Sets the hard cap per tag on ids leased and not used. Default: what the step policy needs.
     *
     * @param maxUnused 1 or more
     * @return this builder
     */
    public SegmentGeneratorBuilder maxUnused(long maxUnused) {
        return option("max_unused", Long.toString(maxUnused));
    }

    /**
     * Sets how long a segment should last. Default: 15 min.
     *
     * @param segmentDuration from 0 to a year
     * @return this builder
     */
    public SegmentGeneratorBuilder segmentDuration(Duration segmentDuration) {
        return option("segment_duration", requireNonNull(segmentDuration, "segmentDuration"));
    }

    /**
     * Sets how long an outage of the store should be survived. Default: 10 min.
     *
     * @param outageBudget from 0 to a year
     * @return this builder
     */
    public SegmentGeneratorBuilder outageBudget(Duration outageBudget) {
        return option("outage_budget", requireNonNull(outageBudget, "outageBudget"));
    }

    /**
     * Says whether a tag is created on first use. Default: true on SQLite and memory, else false.
     *
     * @param autoCreate whether to
     * @return this builder
     */
    public SegmentGeneratorBuilder autoCreate(boolean autoCreate) {
        return option("auto_create", Boolean.toString(autoCreate));
    }

    /**
     * Sets the step of a tag that is created. Default: 1000.
     *
     * @param defaultStep from 1 to 2<sup>30</sup>
     * @return this builder
     */
    public SegmentGeneratorBuilder defaultStep(long defaultStep) {
        return option("default_step", Long.toString(defaultStep));
    }

    /**
     * Sets the first id of a tag that is created. Default: 1.
     *
     * @param defaultStart 0 or more
     * @return this builder
     */
    public SegmentGeneratorBuilder defaultStart(long defaultStart) {
        return option("default_start", Long.toString(defaultStart));
    }

    /**
     * Names the table of the segments. Default: {@code leaf_alloc}.
     *
     * @param table a name, or a schema's and a table's with a dot between them
     * @return this builder
     */
    public SegmentGeneratorBuilder table(String table) {
        return option("table", requireNonNull(table, "table"));
    }

    /**
     * Sets whether a generator that is still open is closed when the virtual machine exits. Default: true.
     *
     * <p>It is closed after every other shutdown hook has ended, so that a server that drains in a hook goes on
     * minting. With false nothing is closed then, and what is not used is not given back: the application closes by
     * itself.
     *
     * @param closeAtExit whether to close it
     * @return this builder
     */
    public SegmentGeneratorBuilder closeAtExit(boolean closeAtExit) {
        return option("close_at_exit", Boolean.toString(closeAtExit));
    }

    /**
     * Sets any option by its name in the table of options, as text.
     *
     * @param name for example {@code outage_budget}
     * @param value for example {@code 10m}
     * @return this builder
     * @see Leafmint#options()
     */
    public SegmentGeneratorBuilder option(String name, String value) {
        given.add(name, value);
        return this;
    }

    /**
     * Opens the generator.
     *
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@link #eager}, what the first id would throw
     */
    public SegmentGenerator open() {
        NativeLibrary.require();
        return SegmentGenerator.open(given.url(), given.namesAndValues(), GivenOptions.list("tags", tags));
    }

    private SegmentGeneratorBuilder option(String name, Duration value) {
        given.add(name, value);
        return this;
    }
}
