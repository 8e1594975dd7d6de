package io.headgate.redis.script;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Window;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * One limit of a plan.
 *
 * @param id see {@link io.headgate.Plan#ids}
 * @param custom computes the state here; {@code null} if the algorithm has a Lua file
 * @param calendar the windows that the script is told; {@code null} unless they are those of a calendar
 */
record PlannedLimit(
        Limit limit,
        String id,
        @Nullable CustomAlgorithmState custom,
        @Nullable CalendarWindows calendar) {

    static PlannedLimit of(Limit limit, String id, Algorithm<?> algorithm, LuaAlgorithms scripted) {
        if (!scripted.has(algorithm)) {
            return new PlannedLimit(limit, id, new CustomAlgorithmState(limit, algorithm), null);
        }
        CalendarWindows calendar =
                limit.window() instanceof Window.Calendar window ? new CalendarWindows(window) : null;
        return new PlannedLimit(limit, id, null, calendar);
    }

    /** The name of the Lua file. */
    String file() {
        return custom == null ? limit.algorithm() : Scripts.CUSTOM;
    }

    /** The arguments of the limit: {@code plan.lua} describes them. */
    byte[][] arguments() {
        return new byte[][] {text(file()), text(limit.permits()), text(limit.periodMicros()), text(limit.burst())};
    }

    static byte[] text(Object value) {
        return value.toString().getBytes(StandardCharsets.UTF_8);
    }
}
