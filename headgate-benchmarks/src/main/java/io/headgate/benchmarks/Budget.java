package io.headgate.benchmarks;

import java.time.Duration;

/**
 * The budget that every contender of a scenario is set up with: permits per window or, for a bucket, a capacity and a refill.
 */
enum Budget {

    /**
     * Never used up, even by two threads that request one key without a pause, and never full, so that a bucket always has a
     * partial refill to compute.
     */
    BUSY(1_000_000_000, Duration.ofSeconds(1), 1_000_000, Duration.ofSeconds(1)),

    /** Never used up either, and refilled so slowly that no key becomes full again, and is removed, during a run. */
    HELD(1_000_000_000, Duration.ofDays(1), 1, Duration.ofMinutes(5)),

    /** Refilled so fast that a bucket is full again whenever its key is requested: clients that stay below their limit. */
    REFILLED(1_000_000_000, Duration.ofSeconds(1), 1_000_000_000, Duration.ofSeconds(1)),

    /** As {@link #BUSY}, with two limits that hold together. */
    TWO_LIMITS(BUSY, 2),

    /** As {@link #BUSY}, with eight limits that hold together. */
    EIGHT_LIMITS(BUSY, 8),

    /** Used up by the first request. */
    TINY(1, Duration.ofDays(365), 1, Duration.ofDays(365));

    final int permits;
    final Duration window;
    final int refill;
    final Duration refillPeriod;
    final int limits;

    Budget(int permits, Duration window, int refill, Duration refillPeriod) {
        this(permits, window, refill, refillPeriod, 1);
    }

    Budget(Budget each, int limits) {
        this(each.permits, each.window, each.refill, each.refillPeriod, limits);
    }

    Budget(int permits, Duration window, int refill, Duration refillPeriod, int limits) {
        this.permits = permits;
        this.window = window;
        this.refill = refill;
        this.refillPeriod = refillPeriod;
        this.limits = limits;
    }

    /** The number of permits of each limit: no two of them are equal, since Bucket4j rejects that. */
    int permits(int limit) {
        return permits - limit;
    }

    /** The equivalent for a limiter that has a rate but no configurable burst: only a high rate keeps it from being used up. */
    Budget smooth() {
        return this == HELD ? BUSY : this;
    }
}
