package io.github.leafmint.spring.boot;

import io.github.leafmint.Order;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.StringUtils;

/**
 * The properties {@code leafmint.*}.
 *
 * <p>A property that is not set leaves the option to the URL, or to leafmint's own default.
 *
 * <pre>{@code
 * leafmint.segment.timeout=500ms
 * leafmint.segment.tags.order.step=5000
 * leafmint.snowflake.enabled=true
 * leafmint.snowflake.layout=javascript
 * }</pre>
 *
 * @param enabled Whether leafmint configures anything.
 * @param segment The segment generator.
 * @param snowflake The snowflake generator.
 * @param leafApi Leaf's HTTP interface.
 */
@ConfigurationProperties("leafmint")
public record LeafmintProperties(
        @DefaultValue("true") boolean enabled,
        @DefaultValue Segment segment,
        @DefaultValue Snowflake snowflake,
        @DefaultValue LeafApi leafApi) {
    /** Spring asks for it at each start: the code that the JVM makes for records would take milliseconds. */
    @Override
    public int hashCode() {
        return Boolean.hashCode(enabled);
    }

    /** Returns whether one of the tags is to be created. */
    static boolean creates(Map<String, Tag> tags) {
        for (Tag tag : tags.values()) {
            if (tag.create()) {
                return true;
            }
        }
        return false;
    }

    /**
     * The properties {@code leafmint.segment.*}.
     *
     * @param enabled Whether a segment generator is configured.
     * @param url Store of the ids. Default: the database of the application's data source.
     * @param username Account of the database. Default: the data source's, or the one in the URL.
     * @param password Password of the account. Default: the data source's, or the one in the URL.
     * @param initSchema Whether missing tables are created at start, after Flyway and Liquibase.
     * @param tags Tags, by name.
     * @param timeout Longest wait of one call.
     * @param connectTimeout Longest wait for one connection, statement or lock of the store.
     * @param sslMode How connections are encrypted. Default: preferred, or verify-ca if an SSL CA is set.
     * @param sslCa Path of a PEM file with the certificate authorities to trust.
     * @param eager Whether the start connects, checks the store and leases ids for the tags, or fails.
     * @param maxStep Largest number of ids that one lease takes in steady state.
     * @param maxUnused Hard cap on the ids of one tag that are leased and not used.
     * @param segmentDuration How long a segment should last.
     * @param outageBudget How long an outage of the store should be survived.
     * @param autoCreate Whether the first id of an unknown tag creates the tag, and a missing table. Default: true on
     *     SQLite and in memory, otherwise false.
     * @param defaultStep Ids per lease of a tag that is created.
     * @param defaultStart First id of a tag that is created.
     * @param table Table of the tags.
     */
    public record Segment(
            @DefaultValue("true") boolean enabled,
            String url,
            String username,
            String password,
            @DefaultValue("false") boolean initSchema,
            @DefaultValue Map<String, Tag> tags,
            Duration timeout,
            Duration connectTimeout,
            SslMode sslMode,
            String sslCa,
            Boolean eager,
            Long maxStep,
            Long maxUnused,
            Duration segmentDuration,
            Duration outageBudget,
            Boolean autoCreate,
            Long defaultStep,
            Long defaultStart,
            String table) {
        /** Counts an empty URL, such as that of {@code ${VARIABLE:}}, as none. */
        public Segment {
            url = StringUtils.hasText(url) ? url : null;
        }

        /** Returns no values, since some of them are secret. */
        @Override
        public String toString() {
            return "leafmint.segment.*";
        }
    }

    /**
     * The properties {@code leafmint.segment.tags.<name>.*}.
     *
     * @param create Whether the tag is created at start, unless it exists.
     * @param step Ids per lease, if the tag is created. Default: the default step.
     * @param start First id, if the tag is created. Default: the default start.
     * @param description Description, if the tag is created.
     * @param geneBits Number of low bits of each id that carry a gene, 0 to 12.
     * @param order Order of the ids of the injected tag.
     */
    public record Tag(
            @DefaultValue("false") boolean create,
            Long step,
            Long start,
            @DefaultValue("") String description,
            @DefaultValue("0") int geneBits,
            @DefaultValue("strict") Order order) {}

    /**
     * The properties {@code leafmint.snowflake.*}.
     *
     * @param enabled Whether a snowflake generator is configured. Default: true if a URL is set.
     * @param url Holder of the worker ids. Default: the database of the application's data source.
     * @param username Account of the database. Default: the data source's, or the one in the URL.
     * @param password Password of the account. Default: the data source's, or the one in the URL.
     * @param timeout Longest wait of one call.
     * @param connectTimeout Longest wait for one connection, statement or lock of the database.
     * @param sslMode How connections are encrypted. Default: preferred, or verify-ca if an SSL CA is set.
     * @param sslCa Path of a PEM file with the certificate authorities to trust.
     * @param eager Whether the start takes a worker id, or fails.
     * @param namespace Namespace in which worker ids are unique. Two namespaces may mint the same ids.
     * @param layout Layout of the ids: a preset, or bits such as timestamp:41,worker:10,sequence:12.
     * @param epoch Start of tick 0, such as 2025-01-01T00:00:00Z. Default: the preset's.
     * @param workerMode How a database assigns worker ids.
     * @param workers Worker ids that may be taken, such as 0-31, 5,7 or ordinal. Default: all that the layout allows.
     * @param datacenterId Datacenter id, for layouts with datacenter bits.
     * @param workerMap Worker ids by endpoint, for a local holder.
     * @param ordinalEnv Environment variable that holds the name or ordinal of this pod, for fixed:ordinal and the
     *     workers ordinal. Default: the host name.
     * @param ordinalOffset Worker id of ordinal 0.
     * @param endpoint Name under which this process claims a worker id, such as 10.0.0.1:8080. Required with a worker
     *     map and with the worker mode fixed.
     * @param leaseDuration How far ahead time is reserved. Default: 10m in a database, 24h there with the worker mode
     *     fixed, otherwise 3s.
     * @param heartbeat How often time is reserved. Default: 10s in a database, otherwise 1s.
     * @param stateDir Directory of lock and state files, or none. Default: the state directory of the user.
     * @param clock Clock that ids are stamped with.
     * @param clockRollback What happens if the wall clock is behind the ids.
     * @param maxClockLead How far ids may be ahead of the wall clock.
     * @param maxClockSkew How far the host's clock may be off at start, for a database.
     * @param sequenceJitter Bound of the random sequence number at which a new tick starts.
     */
    public record Snowflake(
            Boolean enabled,
            String url,
            String username,
            String password,
            Duration timeout,
            Duration connectTimeout,
            SslMode sslMode,
            String sslCa,
            Boolean eager,
            String namespace,
            String layout,
            Instant epoch,
            WorkerMode workerMode,
            String workers,
            Long datacenterId,
            Map<String, Long> workerMap,
            String ordinalEnv,
            Long ordinalOffset,
            String endpoint,
            Duration leaseDuration,
            Duration heartbeat,
            String stateDir,
            Clock clock,
            ClockRollback clockRollback,
            Duration maxClockLead,
            Duration maxClockSkew,
            Long sequenceJitter) {
        /** Counts an empty URL, such as that of {@code ${VARIABLE:}}, as none. */
        public Snowflake {
            url = StringUtils.hasText(url) ? url : null;
        }

        /** Returns no values, since some of them are secret. */
        @Override
        public String toString() {
            return "leafmint.snowflake.*";
        }
    }

    /**
     * The properties {@code leafmint.leaf-api.*}.
     *
     * @param enabled Whether the paths of a Leaf server mint and decode ids.
     */
    public record LeafApi(@DefaultValue("false") boolean enabled) {}

    /** How connections to the database are encrypted. */
    public enum SslMode {
        /** Never. */
        DISABLED,
        /** If the server can. */
        PREFERRED,
        /** Always, without a look at the certificate. */
        REQUIRED,
        /** Always, and an authority that is trusted signed the certificate. */
        VERIFY_CA,
        /** Always, and the certificate is trusted and names the host. */
        VERIFY_IDENTITY
    }

    /** How a database assigns worker ids. */
    public enum WorkerMode {
        /** Any free worker id. */
        LEASE,
        /** The worker id that {@code leaf_workerid_alloc} holds for the endpoint. */
        FIXED,
        /** The worker id that the endpoint has in the tree of Leaf's ZooKeeper mode. */
        FOREVER
    }

    /** The clock that ids are stamped with. */
    public enum Clock {
        /** The processor's counter if the kernel keeps time with it, otherwise the system's clock. */
        AUTO,
        /** The system's clock. */
        SYSTEM
    }

    /** What happens if the wall clock is behind the ids. */
    public enum ClockRollback {
        /** Ids go on from the last one. */
        CONTINUE,
        /** A call waits for the wall clock. */
        WAIT,
        /** A call fails. */
        FAIL
    }
}
