package io.headgate.benchmarks;

import java.time.Duration;

/**
 * What every contender of a scenario is told to keep: so many permits per window or, for a bucket, a capacity and its refill.
 */
enum Budget {

    /**
     * Never used up, though two threads ask for one key without a pause, and never full: a bucket always has a part of a refill
     * to compute.
     */
    BUSY(1_000_000_000, Duration.ofSeconds(1), 1_000_000, Duration.ofSeconds(1)),

    /** Never used up either, and refilled so slowly that no key is as good as new, and forgotten, while a run lasts. */
    HELD(1_000_000_000, Duration.ofDays(1), 1, Duration.ofMinutes(5)),

    /** Used up by the first request. */
    TINY(1, Duration.ofDays(365), 1, Duration.ofDays(365));

    final int permits;
    final Duration window;
    final int refill;
    final Duration refillPeriod;

    Budget(int permits, Duration window, int refill, Duration refillPeriod) {
        this.permits = permits;
        this.window = window;
        this.refill = refill;
        this.refillPeriod = refillPeriod;
    }

    /** The same for a limiter that has a rate and no burst to set: it can only be never used up if its rate is high. */
    Budget smooth() {
        return this == HELD ? BUSY : this;
    }
}
