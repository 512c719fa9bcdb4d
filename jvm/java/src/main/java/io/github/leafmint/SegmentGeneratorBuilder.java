package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import java.time.Duration;

/**
 * Opens a segment generator with options. An option that is set here takes precedence over the same option in the URL.
 *
 * <p>{@link #open()} checks all values at once.
 *
 * <pre>{@code
 * var ids = SegmentGenerator.builder("mysql://h1,h2/shop")
 *         .user("shop")
 *         .password(System.getenv("DB_PASSWORD"))
 *         .timeout(Duration.ofMillis(500))
 *         .open();
 * }</pre>
 */
public final class SegmentGeneratorBuilder extends GeneratorBuilder<SegmentGeneratorBuilder> {
    SegmentGeneratorBuilder(String url) {
        super(url);
    }

    @Override
    SegmentGeneratorBuilder self() {
        return this;
    }

    /**
     * Sets the tags that {@link #eager} prepares. Default: none.
     *
     * @param tags their names, which may contain commas
     * @return this builder
     */
    public SegmentGeneratorBuilder tags(String... tags) {
        return option("tags", requireNonNull(tags, "tags"));
    }

    /**
     * Sets the largest number of ids that one lease takes, unless a call asks for more at once, or they would not last
     * for four round trips to the store. Default: 1,000,000.
     *
     * <p>If it equals the step of a tag, segments of that tag do not grow.
     *
     * @param maxStep 1 to 2<sup>30</sup>
     * @return this builder
     */
    public SegmentGeneratorBuilder maxStep(long maxStep) {
        return option("max_step", maxStep);
    }

    /**
     * Sets the hard cap on the ids of one tag that are leased and not used. Default: what the step policy needs.
     *
     * @param maxUnused 1 or more
     * @return this builder
     */
    public SegmentGeneratorBuilder maxUnused(long maxUnused) {
        return option("max_unused", maxUnused);
    }

    /**
     * Sets how long a segment should last at the current rate. Default: 15 min.
     *
     * @param segmentDuration 0 to one year
     * @return this builder
     */
    public SegmentGeneratorBuilder segmentDuration(Duration segmentDuration) {
        return option("segment_duration", requireNonNull(segmentDuration, "segmentDuration"));
    }

    /**
     * Sets how long an outage of the store the ids in hand should last. Default: 10 min.
     *
     * @param outageBudget 0 to one year
     * @return this builder
     */
    public SegmentGeneratorBuilder outageBudget(Duration outageBudget) {
        return option("outage_budget", requireNonNull(outageBudget, "outageBudget"));
    }

    /**
     * Sets whether the first id of an unknown tag creates the tag, and a missing table. Default: true on SQLite and
     * memory, otherwise false.
     *
     * @param autoCreate whether to create it
     * @return this builder
     */
    public SegmentGeneratorBuilder autoCreate(boolean autoCreate) {
        return option("auto_create", autoCreate);
    }

    /**
     * Sets the step of tags that {@link #autoCreate} creates. Default: 1000.
     *
     * @param defaultStep 1 to 2<sup>30</sup>
     * @return this builder
     */
    public SegmentGeneratorBuilder defaultStep(long defaultStep) {
        return option("default_step", defaultStep);
    }

    /**
     * Sets the first id of tags that {@link #autoCreate} creates. Default: 1.
     *
     * @param defaultStart 0 or more
     * @return this builder
     */
    public SegmentGeneratorBuilder defaultStart(long defaultStart) {
        return option("default_start", defaultStart);
    }

    /**
     * Sets the table of the tags. Default: {@code leaf_alloc}.
     *
     * @param table a table name, or {@code schema.table}
     * @return this builder
     */
    public SegmentGeneratorBuilder table(String table) {
        return option("table", requireNonNull(table, "table"));
    }

    /**
     * Opens the generator.
     *
     * @return the generator
     * @throws InvalidConfigException with every problem found; with {@link #eager}, also what the first id would throw
     */
    public SegmentGenerator open() {
        NativeLibrary.require();
        return SegmentGenerator.open(url(), new OptionValues(options()), credentials());
    }
}
