package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.spring.boot.actuate.LeafmintAuditDescriptors.Audited;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;

/**
 * The endpoint {@code /actuator/leafmintaudit}: shows which keys of the application's database run out, lie behind or
 * are too narrow.
 *
 * <p>It reads the database when it is asked, and again once the report is older than {@code leafmint.audit.max-age}. It
 * shows no credentials. Numbers that may be large are strings, since JavaScript rounds them.
 *
 * <pre>{@code
 * GET /actuator/leafmintaudit
 * }</pre>
 */
@Endpoint(id = "leafmintaudit", defaultAccess = Access.READ_ONLY)
public class LeafmintAuditEndpoint {
    private final RecentAudit recent;

    LeafmintAuditEndpoint(RecentAudit recent) {
        this.recent = recent;
    }

    /**
     * Audits the database, unless that was done lately.
     *
     * @return the report
     */
    @ReadOperation
    public Audited audit() {
        return recent.read();
    }

    /** Returns what the last audit found; {@code null} if none has ended yet. */
    RecentAudit.Attempt latest() {
        return recent.latest();
    }
}
