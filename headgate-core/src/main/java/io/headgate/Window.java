package io.headgate;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The time span over which a {@link Limit} counts: a span of fixed length, or a day, week or month of a calendar. */
public sealed interface Window {

    /** The length in microseconds; for a calendar window that of the longest one, including the hour that daylight saving adds. */
    long lengthMicros();

    /** The start of the window that contains the given time, in microseconds since the epoch. */
    long startMicros(long atMicros);

    /** The first microsecond after the window that contains the given time. */
    long endMicros(long atMicros);

    /** A span of fixed length; its windows are aligned to the epoch, so every process has the same window boundaries. */
    static Span of(Duration length) {
        Objects.requireNonNull(length, "length");
        if (length.compareTo(Span.SHORTEST) < 0 || length.compareTo(Span.LONGEST) > 0) {
            throw new IllegalArgumentException("a period must be between 1 ms and 366 days, not " + length);
        }
        if (length.getNano() % 1_000 != 0) {
            throw new IllegalArgumentException("a period must be a whole number of microseconds, not " + length);
        }
        return new Span(length.getSeconds() * 1_000_000 + length.getNano() / 1_000);
    }

    /** A calendar window in the given zone. */
    static Calendar of(Unit unit, ZoneId zone) {
        return new Calendar(unit, zone);
    }

    /** The unit of a calendar window. */
    enum Unit {
        DAY(25 * 3600L),
        /** Monday to Sunday, as in ISO 8601. */
        WEEK(7 * 86_400L + 3600),
        MONTH(31 * 86_400L + 3600);

        private final long longestSeconds;

        Unit(long longestSeconds) {
            this.longestSeconds = longestSeconds;
        }

        private LocalDate floor(LocalDate date) {
            return switch (this) {
                case DAY -> date;
                case WEEK -> date.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY));
                case MONTH -> date.withDayOfMonth(1);
            };
        }

        private LocalDate next(LocalDate start) {
            return switch (this) {
                case DAY -> start.plusDays(1);
                case WEEK -> start.plusWeeks(1);
                case MONTH -> start.plusMonths(1);
            };
        }
    }

    /**
     * A span of fixed length.
     *
     * @param lengthMicros between a millisecond and 366 days
     */
    record Span(long lengthMicros) implements Window {

        static final Duration SHORTEST = Duration.ofMillis(1);
        static final Duration LONGEST = Duration.ofDays(366);

        public Span {
            if (lengthMicros < 1_000 || lengthMicros > 366L * 86_400_000_000L) {
                throw new IllegalArgumentException(
                        "a period must be between 1 ms and 366 days, not " + lengthMicros + " microseconds");
            }
        }

        @Override
        public long startMicros(long atMicros) {
            return atMicros - Math.floorMod(atMicros, lengthMicros);
        }

        @Override
        public long endMicros(long atMicros) {
            return startMicros(atMicros) + lengthMicros;
        }

        /** The length in the largest unit that divides it, in the form that {@link Limit#parse} reads: {@code min}, {@code 30s}. */
        @Override
        public String toString() {
            return Units.write(lengthMicros);
        }
    }

    /** A day, week or month in a time zone; daylight saving makes some of them an hour longer or shorter. */
    final class Calendar implements Window {

        private final Unit unit;
        private final ZoneId zone;

        /** The window that was computed last: zone rules are slow, and nearly every call is about the current window. */
        private volatile @Nullable Bounds last;

        private record Bounds(long start, long end) {}

        private Calendar(Unit unit, ZoneId zone) {
            this.unit = Objects.requireNonNull(unit, "unit");
            this.zone = Objects.requireNonNull(zone, "zone");
        }

        public Unit unit() {
            return unit;
        }

        public ZoneId zone() {
            return zone;
        }

        @Override
        public long lengthMicros() {
            return unit.longestSeconds * 1_000_000;
        }

        @Override
        public long startMicros(long atMicros) {
            return containing(atMicros).start;
        }

        @Override
        public long endMicros(long atMicros) {
            return containing(atMicros).end;
        }

        private Bounds containing(long atMicros) {
            Bounds bounds = last;
            if (bounds == null || atMicros < bounds.start || atMicros >= bounds.end) {
                bounds = compute(atMicros);
                last = bounds;
            }
            return bounds;
        }

        private Bounds compute(long atMicros) {
            LocalDate date = LocalDate.ofInstant(Instant.EPOCH.plus(atMicros, ChronoUnit.MICROS), zone);
            LocalDate start = unit.floor(date);
            while (micros(unit.next(start)) <= atMicros) {
                start = unit.next(start); // clocks went back over midnight: the window that has already begun continues
            }
            return new Bounds(micros(start), micros(unit.next(start)));
        }

        private long micros(LocalDate date) {
            return date.atStartOfDay(zone).toEpochSecond() * 1_000_000;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Calendar that && unit == that.unit && zone.equals(that.zone);
        }

        @Override
        public int hashCode() {
            return Objects.hash(unit, zone);
        }

        /** The form that {@link Limit#parse} reads: {@code calendar-day Europe/Berlin}. */
        @Override
        public String toString() {
            return "calendar-" + unit.name().toLowerCase(Locale.ROOT) + " " + zone;
        }

        static Calendar parse(String unit, String zone) {
            try {
                return new Calendar(Unit.valueOf(unit.toUpperCase(Locale.ROOT)), ZoneId.of(zone));
            } catch (DateTimeException e) {
                throw new IllegalArgumentException("no time zone is called '" + zone + "'", e);
            }
        }
    }
}
