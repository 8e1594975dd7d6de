package io.headgate;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The time units that the text form of a limit accepts. */
final class Units {

    /** Every accepted spelling and its length in microseconds; the first spelling of each length is used for writing. */
    private static final Map<String, Long> MICROS = new LinkedHashMap<>();

    static {
        define(86_400_000_000L, "day", "d", "days");
        define(3_600_000_000L, "h", "hour", "hours");
        define(60_000_000L, "min", "m", "minute", "minutes");
        define(1_000_000L, "s", "sec", "second", "seconds");
        define(1_000L, "ms", "millis", "millisecond", "milliseconds");
        define(1L, "us", "micros", "microsecond", "microseconds");
    }

    private Units() {}

    private static void define(long micros, String... spellings) {
        for (String spelling : spellings) {
            MICROS.put(spelling, micros);
        }
    }

    static @Nullable Long micros(String spelling) {
        return MICROS.get(spelling);
    }

    static String write(long micros) {
        for (Map.Entry<String, Long> unit : MICROS.entrySet()) {
            if (micros % unit.getValue() == 0) {
                long count = micros / unit.getValue();
                return count == 1 ? unit.getKey() : count + unit.getKey();
            }
        }
        throw new AssertionError(micros);
    }
}
