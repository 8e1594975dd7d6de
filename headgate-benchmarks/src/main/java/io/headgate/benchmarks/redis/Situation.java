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

    /** Knows the keys; in the denied situation their budget is spent. */
    void prepare(Checker checker) {
        for (int i = 0; i < keys; i++) {
            checker.prepare(key(i));
        }
        if (this == DENIED) {
            checker.check(key(0));
        }
    }

    String next(AtomicLong counter) {
        return key(keys == 1 ? 0 : counter.getAndIncrement() % keys);
    }

    private static String key(long number) {
        return "203.0.113.7:" + number;
    }

    boolean isRight(boolean allowed) {
        return allowed == (this != DENIED);
    }
}
