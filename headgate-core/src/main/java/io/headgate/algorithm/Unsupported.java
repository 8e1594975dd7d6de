package io.headgate.algorithm;

import io.headgate.Limit;
import io.headgate.Window;

/** Rejects limits that an algorithm cannot apply, and says what they need instead. */
final class Unsupported {

    private Unsupported() {}

    static void rejectCalendar(Limit limit) {
        if (limit.window() instanceof Window.Calendar) {
            throw new IllegalArgumentException("limit '" + limit
                    + "': a calendar window needs the algorithm fixed-window, not " + limit.algorithm());
        }
    }

    static void rejectBurst(Limit limit) {
        if (limit.burst() != limit.permits()) {
            throw new IllegalArgumentException(
                    "limit '" + limit + "': a burst needs the algorithm token-bucket, not " + limit.algorithm());
        }
    }
}
