package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.leafmint.Audit;
import io.github.leafmint.StoreUnavailableException;
import io.github.leafmint.audit.AuditReport;
import io.github.leafmint.internal.results.Results;
import io.github.leafmint.spring.boot.actuate.LeafmintAuditDescriptors.Audited;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class RecentAuditTest {
    private final AtomicLong nanos = new AtomicLong();
    private final AtomicInteger audits = new AtomicInteger();
    private volatile Supplier<AuditReport> audit = this::report;

    private final CountDownLatch began = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);

    private final RecentAudit recent = recent(Duration.ofSeconds(10));

    private RecentAudit recent(Duration longestWait) {
        return new RecentAudit(() -> audit.get(), Duration.ofMinutes(10), longestWait, nanos::get);
    }

    private AuditReport report() {
        return new Results.AuditReport(
                "shop " + audits.incrementAndGet(), Instant.EPOCH, List.of(), List.of(), List.of());
    }

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    void aReportIsShownUntilItIsTooOld() {
        assertThat(recent.read().scope()).isEqualTo("shop 1");
        pass(Duration.ofMinutes(10).minusNanos(1));
        assertThat(recent.read().scope()).isEqualTo("shop 1");
        pass(Duration.ofNanos(1));
        assertThat(recent.read().scope()).isEqualTo("shop 2");
    }

    @Test
    void aFailureIsShownWithTheReportBeforeAndTriedAgainAfterAPause() {
        recent.read();
        pass(Duration.ofMinutes(11));
        var attempts = new AtomicInteger();
        audit = () -> {
            attempts.incrementAndGet();
            throw failure();
        };
        Audited failed = recent.read();
        assertThat(failed.scope()).isEqualTo("shop 1");
        assertThat(failed.lastError()).startsWith("store_unavailable: ");
        assertThat(recent.read()).isSameAs(failed);
        assertThat(attempts).hasValue(1);
        pass(Duration.ofSeconds(10));
        audit = this::report;
        assertThat(recent.read()).returns("shop 2", Audited::scope).returns(null, Audited::lastError);
    }

    /** Only leafmint makes its exceptions. */
    private static StoreUnavailableException failure() {
        var unreachable = Audit.of("mysql://127.0.0.1:1/shop").connectTimeout(Duration.ofMillis(200));
        return assertThrows(StoreUnavailableException.class, unreachable::run);
    }

    @Test
    void withoutAReportItIsNotOk() {
        audit = () -> {
            throw failure();
        };
        assertThat(recent.read()).returns(false, Audited::ok).returns(null, Audited::findings);
    }

    @Test
    void theLatestIsThereWithoutAWaitAndTheNextBegins() throws Exception {
        waitForPermission();
        assertThat(recent.latest()).isNull();
        await(began);
        assertThat(recent.latest()).as("the first audit is still running").isNull();
        goOn.countDown();
        while (recent.latest() == null) {
            Thread.sleep(10);
        }
        assertThat(recent.latest().report().scope()).isEqualTo("shop 1");
    }

    @Test
    void atItsPaceAFailureIsNotTriedAgainBeforeTheReportWouldBeTooOld() throws Exception {
        recent.read();
        pass(Duration.ofMinutes(10));
        assertThat(recent.age()).isEqualTo(Duration.ofMinutes(10));
        var attempts = new AtomicInteger();
        audit = () -> {
            attempts.incrementAndGet();
            throw failure();
        };
        recent.latestAtItsPace();
        while (recent.latestAtItsPace().failure() == null) {
            Thread.sleep(10);
        }
        pass(Duration.ofMinutes(9));
        assertThat(recent.latestAtItsPace().report().scope()).isEqualTo("shop 1");
        assertThat(recent.age()).isEqualTo(Duration.ofMinutes(19));
        audit = this::report;
        pass(Duration.ofMinutes(1));
        while (recent.latestAtItsPace().failure() != null) {
            Thread.sleep(10);
        }
        assertThat(attempts).hasValue(1);
        assertThat(recent.age()).isZero();
    }

    /** Such as an audit whose bean cannot be made. */
    @Test
    void anAuditThatCannotBeginIsTriedOnceInTheBackgroundUntilAReportWouldBeTooOld() throws Exception {
        audit = () -> {
            began.countDown();
            audits.incrementAndGet();
            throw new IllegalStateException("no data source");
        };
        while (recent.latest() == null && !recent.isBroken()) {
            Thread.sleep(10);
        }
        int tried = audits.get();
        for (int call = 0; call < 20; call++) {
            assertThat(recent.latest()).isNull();
        }
        pass(Duration.ofMinutes(10));
        audit = this::report;
        while (recent.latest() == null) {
            Thread.sleep(10);
        }
        assertThat(audits).hasValue(tried + 1);
    }

    @Test
    void manyCallersCauseOneAudit() throws Exception {
        waitForPermission();
        List<CompletableFuture<Audited>> first = Stream.generate(() -> CompletableFuture.supplyAsync(recent::read))
                .limit(8)
                .toList();
        await(began);
        goOn.countDown();
        for (var call : first) {
            assertThat(call.get(10, TimeUnit.SECONDS).scope()).isEqualTo("shop 1");
        }
    }

    @Test
    void noCallerWaitsForALongFirstAudit() throws Exception {
        waitForPermission();
        RecentAudit impatient = recent(Duration.ofMillis(1));
        var slow = CompletableFuture.supplyAsync(impatient::read);
        await(began);
        assertThat(impatient.read())
                .returns(false, Audited::ok)
                .returns("the first audit is still running", Audited::lastError);
        goOn.countDown();
        assertThat(slow.get(10, TimeUnit.SECONDS).scope()).isEqualTo("shop 1");
    }

    @Test
    void duringAnAuditTheReportBeforeIsShown() throws Exception {
        recent.read();
        pass(Duration.ofMinutes(11));
        waitForPermission();
        var slow = CompletableFuture.supplyAsync(recent::read);
        await(began);
        assertThat(recent.read().scope()).isEqualTo("shop 1");
        goOn.countDown();
        assertThat(slow.get(10, TimeUnit.SECONDS).scope()).isEqualTo("shop 2");
        assertThat(recent.read().scope()).isEqualTo("shop 2");
    }

    /** Makes the next audit wait until {@link #goOn}. */
    private void waitForPermission() {
        audit = () -> {
            began.countDown();
            await(goOn);
            return report();
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException failure) {
            throw new AssertionError(failure);
        }
    }
}
