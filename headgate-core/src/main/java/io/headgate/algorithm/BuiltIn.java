package io.headgate.algorithm;

import io.headgate.Algorithm;
import java.util.List;

/** The algorithms that come with Headgate. */
public final class BuiltIn {

    /** How many permits a sliding log keeps at most, by default. */
    public static final int LOG_MOST = 10_000;

    private BuiltIn() {}

    public static List<Algorithm<?>> algorithms() {
        return List.of(
                new TokenBucket(),
                new LeakyBucket(),
                new FixedWindow(),
                slidingWindowLog(LOG_MOST),
                new SlidingWindowCounter(),
                new SlidingWindow());
    }

    /** The sliding log with another maximum number of permits. */
    public static Algorithm<?> slidingWindowLog(int mostPermits) {
        return new SlidingWindowLog(mostPermits);
    }
}
