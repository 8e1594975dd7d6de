package io.headgate.benchmarks;

import io.headgate.TimeSource;

/**
 * A time source that advances by a fixed step with every reading and costs as much as the system's. For one thread only.
 *
 * <p>Some algorithms cannot grant every request of a loop that asks twenty times in a microsecond, whatever their limit: a leaky
 * bucket grants at most one per microsecond, a log of 100 permits a hundred per millisecond. With this time source every request
 * comes just when the limit has room for it, so the log is always full and drops one entry per request.
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
        long sign = TimeSource.system().nowMicros() >>> 63; // always 0, but the compiler cannot know
        return now += stepMicros + sign;
    }
}
