package io.headgate.benchmarks.redis;

import java.util.concurrent.atomic.AtomicLong;

/** The keys that are checked, and their budget. */
enum Situation {

    /** Concurrent checks are for different keys. */
    DISTINCT("distinct keys", 20_000, 1_000_000),

    /** All checks are for one key, and all are allowed. */
    HOT("one hot key", 1, 1_000_000_000),

    /** All checks are for one key, and all are denied. */
    DENIED("a denied key", 1, 1);

    final String label;
    final int permits;
    private final int keys;

    Situation(String label, int keys, int permits) {
        this.label = label;
        this.permits = permits;
        this.keys = keys;
    }

    /** Prepares the keys; in the denied situation, also spends the budget of the key. */
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

    /** Each peer has its own keys, of the same length as those of the others. */
    private static String key(Peer peer, long number) {
        return peer.client + number;
    }

    boolean isRight(boolean allowed) {
        return allowed == (this != DENIED);
    }
}
