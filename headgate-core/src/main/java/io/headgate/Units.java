package io.headgate;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
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

    /** Every accepted spelling, and more words. */
    static Set<String> words(Collection<String> more) {
        Set<String> words = new HashSet<>(MICROS.keySet());
        words.addAll(more);
        return words;
    }

    /** A wait for people to read: {@code 250ms}, {@code 1.5s}, {@code 2h 5min}. */
    static String readable(long micros) {
        if (micros == Standing.NEVER) {
            return "never";
        }
        if (micros < 1_000_000) {
            return micros == 0 ? "0s" : decimal(micros, 3) + "ms";
        }
        long minutes = micros / 60_000_000;
        return (part(minutes / 1_440, "d ")
                        + part(minutes / 60 % 24, "h ")
                        + part(minutes % 60, "min ")
                        + (micros % 60_000_000 == 0 ? "" : decimal(micros % 60_000_000, 6) + "s"))
                .trim();
    }

    static String readable(Duration wait) {
        long seconds = Math.min(wait.getSeconds(), Long.MAX_VALUE / 2_000_000); // beyond 100,000 years nobody counts
        return readable(seconds * 1_000_000 + wait.getNano() / 1_000);
    }

    private static String part(long count, String unit) {
        return count == 0 ? "" : count + unit;
    }

    private static String decimal(long value, int places) {
        return BigDecimal.valueOf(value, places).stripTrailingZeros().toPlainString();
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
