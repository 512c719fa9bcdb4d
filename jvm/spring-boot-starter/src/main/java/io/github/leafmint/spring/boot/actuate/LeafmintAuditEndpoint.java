package io.github.leafmint.spring.boot.actuate;

import io.github.leafmint.Audit;
import io.github.leafmint.spring.boot.actuate.LeafmintAuditDescriptors.Audited;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;
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
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(10);

    private final RecentAudit recent;

    LeafmintAuditEndpoint(ObjectProvider<Audit> audit, Duration maxAge) {
        // The bean is made by the first request: no start may fail for it.
        recent = new RecentAudit(() -> audit.getObject().run(), maxAge, LONGEST_WAIT, System::nanoTime);
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
