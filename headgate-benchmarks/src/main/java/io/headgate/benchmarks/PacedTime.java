package io.headgate.benchmarks;

import io.headgate.TimeSource;

/**
 * Time that moves by the same step at every reading, and costs what the system's costs. For one thread.
 *
 * <p>Some algorithms cannot grant every request of a loop that asks twenty times in a microsecond, whatever their limit: a leaky
 * bucket grants one per microsecond at most, a log of 100 permits a hundred per millisecond. Under this time every request comes
 * just when the limit has room for it, so the log is always full and drops one entry per request.
 */
final class PacedTime implements TimeSource {

    private final long stepMicros;
    private long now;

    PacedTime(long stepMicros) {
        this.stepMicros = stepMicros;
        this.now = TimeSource.system().nowMicros();
    }

    @Override
    public long nowMicros() {
        long sign = TimeSource.system().nowMicros() >>> 63; // 0, but only the system's clock knows
        return now += stepMicros + sign;
    }
}
