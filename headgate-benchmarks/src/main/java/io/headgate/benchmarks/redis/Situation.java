package io.headgate.benchmarks.redis;

import java.util.concurrent.atomic.AtomicLong;

/** Which keys are asked for, and what their budget is. */
enum Situation {

    /** Nobody asks for the key of another. */
    DISTINCT("distinct keys", 20_000, 1_000_000),

    /** All ask for one key, and all are let through. */
    HOT("one hot key", 1, 1_000_000_000),

    /** All ask for one key, and none is let through. */
    DENIED("a denied key", 1, 1);

    final String label;
    final int permits;
    private final int keys;

    Situation(String label, int keys, int permits) {
        this.label = label;
        this.permits = permits;
        this.keys = keys;
    }

    /** Makes the keys known; in the denied situation their budget is spent. */
    void prepare(Peer peer, Checker checker) {
        for (int i = 0; i < keys; i++) {
            checker.prepare(key(peer, i));
        }
        if (this == DENIED) {
            checker.check(key(peer, 0));
        }
    }

    String next(Peer peer, AtomicLong counter) {
        return key(peer, keys == 1 ? 0 : counter.getAndIncrement() % keys);
    }

    /** Everybody has keys of his own, of the same length. */
    private static String key(Peer peer, long number) {
        return peer.client + number;
    }

    boolean isRight(boolean allowed) {
        return allowed == (this != DENIED);
    }
}
