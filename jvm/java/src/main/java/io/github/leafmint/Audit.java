package io.github.leafmint;

import static java.util.Objects.requireNonNull;

import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.audit.FindingKind;
import io.github.leafmint.audit.KeyUse;
import io.github.leafmint.audit.Severity;
import io.github.leafmint.internal.Text;
import io.github.leafmint.internal.Times;
import io.github.leafmint.internal.lending.ConnectionSource;
import io.github.leafmint.internal.lending.JdbcSource;
import io.github.leafmint.internal.natives.Native;
import io.github.leafmint.internal.natives.NativeLibrary;
import io.github.leafmint.internal.natives.OptionValues;
import io.github.leafmint.internal.natives.RecordReader;
import io.github.leafmint.internal.threads.Answering;
import io.github.leafmint.internal.threads.BackgroundCall;
import java.lang.ref.Reference;
import java.math.BigInteger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Reads how far the keys of a MySQL, MariaDB, PostgreSQL or SQLite database are used, and what is wrong with them.
 *
 * <p>It writes nothing, scans no table, and needs only {@code SELECT}. The database needs nothing of leafmint. An audit
 * may run several times, and on several threads once it is configured.
 *
 * <pre>{@code
 * AuditReport report = Audit.of("jdbc:mysql://replica1/shop")
 *         .username("audit")
 *         .password(System.getenv("AUDIT_PASSWORD"))
 *         .tables("shop_*")
 *         .ignore("shop_events:rounded_in_json")
 *         .run();
 * report.findings().forEach(System.out::println);
 * }</pre>
 */
public final class Audit extends OptionsBuilder<Audit> {
    private static final int BITS = 64;

    private final List<String> tables = new ArrayList<>();
    private final List<String> tags = new ArrayList<>();
    private final List<String> ignored = new ArrayList<>();
    private @Nullable Layout layout;
    private @Nullable AuditReport since;

    private Audit(String url) {
        super(url);
    }

    private Audit(ConnectionSource source) {
        super(source);
    }

    @Override
    Audit self() {
        return this;
    }

    /**
     * Returns an audit of all tables of a database.
     *
     * @param url the database, as for {@link SegmentGenerator#builder}, also as JDBC has it
     * @return the audit
     */
    public static Audit of(String url) {
        return new Audit(requireNonNull(url, "url"));
    }

    /**
     * Returns an audit of all tables of the MySQL, MariaDB or PostgreSQL database of a data source.
     *
     * @param source the data source, of which one connection is taken for the audit, and given back
     * @return the audit
     */
    public static Audit of(DataSource source) {
        return new Audit(new JdbcSource(requireNonNull(source, "source")));
    }

    /**
     * Sets {@code username}: account of the server. Default: the URL's.
     *
     * @param username the text
     * @return this audit
     */
    public Audit username(String username) {
        return option("username", requireNonNull(username, "username"));
    }

    /**
     * Sets {@code password}: password of the account as it is. Default: the URL's.
     *
     * @param password the text
     * @return this audit
     */
    public Audit password(String password) {
        return option("password", requireNonNull(password, "password"));
    }

    /**
     * Sets {@code connect_timeout}: longest wait for one connection, statement or lock. Default: {@code 3s}.
     *
     * @param connectTimeout 0 to one year
     * @return this audit
     */
    public Audit connectTimeout(Duration connectTimeout) {
        return option("connect_timeout", requireNonNull(connectTimeout, "connectTimeout"));
    }

    /**
     * Adds tables to look at. Default: every table.
     *
     * @param patterns names, with * and ?
     * @return this audit
     * @throws InvalidArgumentException if one has an unpaired surrogate
     */
    public Audit tables(String... patterns) {
        return add(tables, "a pattern of tables", patterns);
    }

    /**
     * Sets the tag of a table that has another name than its tag.
     *
     * @param table the name of the table
     * @param tag the name of its tag
     * @return this audit
     * @throws InvalidArgumentException if one has an unpaired surrogate
     */
    public Audit tag(String table, String tag) {
        return add(tags, "the tag of a table", requireNonNull(table, "table"), requireNonNull(tag, "tag"));
    }

    /**
     * Adds findings to leave out of the report, such as {@code legacy_*}, {@code orders:runs_out} or {@code *:note}.
     *
     * @param rules a pattern of tables, and for one {@link FindingKind} or {@link Severity} only, a colon and its name
     * @return this audit
     * @throws InvalidArgumentException if one has an unpaired surrogate
     */
    public Audit ignore(String... rules) {
        return add(ignored, "what to ignore", rules);
    }

    /**
     * Sets the layout of snowflakes. With it, keys above 2^53 are decoded. Default: none.
     *
     * @param layout the layout
     * @return this audit
     */
    public Audit layout(Layout layout) {
        this.layout = requireNonNull(layout, "layout");
        return this;
    }

    /**
     * Sets an earlier report of the same database. The growth since then gives the days that are left. Default: the
     * times in the rows give them, if a table has such a column.
     *
     * @param earlier a report that is an hour old or more
     * @return this audit
     */
    public Audit since(AuditReport earlier) {
        since = requireNonNull(earlier, "earlier");
        return this;
    }

    /**
     * Reads and judges the keys. An interrupt ends the wait; the interrupt flag stays set.
     *
     * @return the report
     * @throws InvalidConfigException if the URL or an option is wrong
     * @throws InvalidArgumentException if a rule of {@link #ignore} names no kind and no severity
     * @throws StoreUnavailableException if the database does not answer
     */
    public AuditReport run() {
        NativeLibrary.require();
        OptionValues options = coreOptions();
        Answering asked = answering();
        try {
            return reading(asked, options).await();
        } finally {
            Answering.end(asked);
        }
    }

    /**
     * Does what {@link #run()} does, and blocks no thread of the caller's: a data source, or a supplier of credentials,
     * is called on threads of leafmint.
     *
     * @return a future of the report
     */
    public CompletableFuture<AuditReport> runAsync() {
        Answering asked = null;
        try {
            NativeLibrary.require();
            OptionValues options = coreOptions();
            asked = answering();
            Answering ended = asked;
            return reading(asked, options).future().whenComplete((report, failure) -> Answering.end(ended));
        } catch (RuntimeException failure) {
            Answering.end(asked);
            return CompletableFuture.failedFuture(failure);
        }
    }

    private BackgroundCall<AuditReport> reading(@Nullable Answering asked, OptionValues options) {
        return BackgroundCall.ofTexts(this, "the audit", () -> begin(asked, options), RecordReader::auditReport);
    }

    private long begin(@Nullable Answering asked, OptionValues options) {
        try {
            return Native.auditBegin(
                    url(),
                    options.texts,
                    options.numbers,
                    Answering.valueOf(Answering.questionsOf(asked)),
                    tables.toArray(new String[0]),
                    tags.toArray(new String[0]),
                    ignored.toArray(new String[0]),
                    layout == null ? 0 : layout.handle(),
                    sinceColumns(),
                    sinceNumbers());
        } finally {
            Reference.reachabilityFence(layout);
            Reference.reachabilityFence(asked);
        }
    }

    private String[] sinceColumns() {
        var columns = new ArrayList<String>();
        for (KeyUse key : keysOf(since)) {
            add(columns, "a key of the earlier report", key.table(), key.column());
        }
        return columns.toArray(new String[0]);
    }

    /** Returns the time of the earlier report and the bits of each number, or nothing. */
    private long[] sinceNumbers() {
        if (since == null) {
            return new long[0];
        }
        List<KeyUse> keys = since.keys();
        long[] numbers = new long[keys.size() + 1];
        numbers[0] = Times.unixMillis(since.readAt());
        for (int at = 0; at < keys.size(); at++) {
            BigInteger used = keys.get(at).used();
            if (used.signum() < 0 || used.bitLength() > BITS) {
                throw new InvalidArgumentException("the earlier report has a key of " + used + ", which is no number");
            }
            numbers[at + 1] = used.longValue();
        }
        return numbers;
    }

    private static List<KeyUse> keysOf(@Nullable AuditReport report) {
        return report == null ? List.of() : report.keys();
    }

    private Audit add(List<String> texts, String what, String... added) {
        Arrays.stream(added).forEach(text -> texts.add(Text.name(what, requireNonNull(text, what))));
        return this;
    }
}
