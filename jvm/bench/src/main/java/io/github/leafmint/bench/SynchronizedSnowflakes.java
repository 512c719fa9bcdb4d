package io.github.leafmint.bench;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Snowflakes minted under one monitor with one read of the clock each, which is how Leaf locks; written for this
 * comparison.
 */
final class SynchronizedSnowflakes {
    private static final long EPOCH = 1_577_203_200_000L;
    private static final int FIRST_SEQUENCES = 100;

    private final int workerBits;
    private final int sequenceBits;
    private long last;
    private long sequence;

    SynchronizedSnowflakes(int workerBits, int sequenceBits) {
        this.workerBits = workerBits;
        this.sequenceBits = sequenceBits;
    }

    synchronized long nextId() {
        long now = System.currentTimeMillis();
        if (now < last) {
            throw new IllegalStateException("the clock moved backwards");
        }
        if (now == last) {
            sequence = (sequence + 1) & ((1L << sequenceBits) - 1);
            if (sequence == 0) {
                now = nextMillisecond();
            }
        }
        if (now != last) {
            sequence = ThreadLocalRandom.current().nextInt(FIRST_SEQUENCES);
            last = now;
        }
        return (now - EPOCH) << (workerBits + sequenceBits) | 1L << sequenceBits | sequence;
    }

    private long nextMillisecond() {
        long now;
        do {
            now = System.currentTimeMillis();
        } while (now <= last);
        return now;
    }
}
