package io.github.leafmint.bench;

import com.xfvape.uid.exception.UidGenerateException;
import com.xfvape.uid.impl.CachedUidGenerator;

/** Baidu's CachedUidGenerator; a call that finds its ring empty waits for the padding and tries again. */
final class CachedUids implements AutoCloseable {
    static final int SEQUENCE_BITS = 13;
    static final int BOOST_POWER = 6;
    static final String HOW =
            "0.0.4, CachedUidGenerator, 13 bits of sequence per second, boostPower 6; its ring is filled "
                    + "by threads of its own and runs on ahead of the clock";

    private final CachedUidGenerator generator = new CachedUidGenerator();

    CachedUids(int sequenceBits, int boostPower) {
        generator.setTimeBits(31);
        generator.setWorkerBits(32 - sequenceBits);
        generator.setSeqBits(sequenceBits);
        generator.setBoostPower(boostPower);
        generator.setWorkerIdAssigner(() -> 1);
        generator.setRejectedTakeBufferHandler(ring -> {
            while (ring.getTail() == ring.getCursor()) {
                Thread.yield();
            }
        });
        try {
            generator.afterPropertiesSet();
        } catch (Exception unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    long nextId() {
        while (true) {
            try {
                return generator.getUID();
            } catch (UidGenerateException empty) {
                Thread.onSpinWait();
            }
        }
    }

    @Override
    public void close() throws Exception {
        generator.destroy();
    }
}
