package io.github.leafmint.spring.boot.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RecentStatusTest {
    private final List<CompletableFuture<byte[]>> reads = new ArrayList<>();
    private final AtomicLong nanoTime = new AtomicLong();
    private final RecentStatus recent = new RecentStatus(this::begin, nanoTime::get);

    private CompletableFuture<byte[]> begin() {
        reads.add(new CompletableFuture<>());
        return reads.get(reads.size() - 1);
    }

    @Test
    void aDocumentIsReadOnceAtATimeAndKeptForAMoment() {
        CompletableFuture<byte[]> first = recent.read();
        nanoTime.addAndGet(Duration.ofMillis(100).toNanos());
        CompletableFuture<byte[]> second = recent.read();
        assertThat(reads).as("the first read is still going on").hasSize(1);
        byte[] document = {1};
        reads.get(0).complete(document);
        assertThat(List.of(first.join(), second.join(), recent.read().join())).containsOnly(document);
        nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
        recent.read();
        assertThat(reads).hasSize(1);
        nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
        recent.read();
        assertThat(reads).hasSize(2);
    }

    @Test
    void afterALongReadTheStoreRestsTenTimesAsLong() {
        recent.read();
        nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
        reads.get(0).complete(new byte[0]);
        nanoTime.addAndGet(Duration.ofSeconds(10).toNanos() - 1);
        recent.read();
        assertThat(reads).hasSize(1);
        nanoTime.addAndGet(1);
        recent.read();
        assertThat(reads).hasSize(2);
    }

    @Test
    void aCallerThatGoesAwayTakesNothingFromTheOthers() {
        CompletableFuture<byte[]> first = recent.read();
        CompletableFuture<byte[]> second = recent.read();
        first.cancel(true);
        byte[] document = {1};
        reads.get(0).complete(document);
        assertThat(second.join()).isSameAs(document);
    }

    @Test
    void aReadThatFailedIsTriedAgain() {
        CompletableFuture<byte[]> first = recent.read();
        reads.get(0).completeExceptionally(new IllegalStateException("example"));
        assertThat(first).isCompletedExceptionally();
        nanoTime.addAndGet(Duration.ofSeconds(2).toNanos());
        recent.read();
        assertThat(reads).hasSize(2);
    }
}
