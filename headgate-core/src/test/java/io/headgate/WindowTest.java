package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WindowTest {

    @ParameterizedTest
    @CsvSource({
        "PT1M,    1970-01-01T00:00:00Z,        1970-01-01T00:00:00Z, 1970-01-01T00:01:00Z",
        "PT1M,    2026-03-01T10:15:59.999999Z, 2026-03-01T10:15:00Z, 2026-03-01T10:16:00Z",
        "PT1M,    1969-12-31T23:59:30Z,        1969-12-31T23:59:00Z, 1970-01-01T00:00:00Z",
        "PT7S,    1970-01-01T00:00:20Z,        1970-01-01T00:00:14Z, 1970-01-01T00:00:21Z",
        "PT0.001S, 2026-03-01T00:00:00.0015Z,  2026-03-01T00:00:00.001Z, 2026-03-01T00:00:00.002Z",
        "PT24H,   2026-03-01T10:15:00Z,        2026-03-01T00:00:00Z, 2026-03-02T00:00:00Z",
    })
    void alignsSpansToTheEpoch(Duration length, Instant at, Instant start, Instant end) {
        assertBounds(Window.of(length), at, start, end);
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT0S", "PT0.000999S", "PT-1S", "P366DT0.001S", "P9999999D"})
    void rejectsSpansOutOfRange(Duration length) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Window.of(length))
                .withMessage("a period must be between 1 ms and 366 days, not " + length);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, 999, 366 * 86_400_000_000L + 1, Long.MAX_VALUE})
    void rejectsSpansOutOfRangeInMicroseconds(long micros) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Window.Span(micros))
                .withMessage("a period must be between 1 ms and 366 days, not " + micros + " microseconds");
    }

    @Test
    void rejectsFractionsOfAMicrosecond() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Window.of(Duration.ofNanos(1_000_001)))
                .withMessage("a period must be a whole number of microseconds, not PT0.001000001S");
    }

    @Test
    void rejectsACalendarWithoutAPlace() {
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> Window.of(Window.Unit.DAY, null))
                .withMessage("zone");
        assertThatExceptionOfType(NullPointerException.class)
                .isThrownBy(() -> Window.of(null, ZoneId.of("UTC")))
                .withMessage("unit");
    }

    @ParameterizedTest
    @CsvSource({
        // an ordinary day, and the two that are an hour off
        "DAY,   Europe/Berlin, 2026-02-10T12:00:00Z, 2026-02-09T23:00:00Z, 2026-02-10T23:00:00Z",
        "DAY,   Europe/Berlin, 2026-03-29T12:00:00Z, 2026-03-28T23:00:00Z, 2026-03-29T22:00:00Z",
        "DAY,   Europe/Berlin, 2026-10-25T12:00:00Z, 2026-10-24T22:00:00Z, 2026-10-25T23:00:00Z",
        "DAY,   UTC,           2026-02-10T00:00:00Z, 2026-02-10T00:00:00Z, 2026-02-11T00:00:00Z",
        // from Monday on
        "WEEK,  Europe/Berlin, 2026-03-29T12:00:00Z, 2026-03-22T23:00:00Z, 2026-03-29T22:00:00Z",
        "WEEK,  UTC,           2026-03-30T00:00:00Z, 2026-03-30T00:00:00Z, 2026-04-06T00:00:00Z",
        // with the leap day, and over the turn of the year
        "MONTH, UTC,           2028-02-29T23:59:59Z, 2028-02-01T00:00:00Z, 2028-03-01T00:00:00Z",
        "MONTH, Asia/Kolkata,  2026-12-31T20:00:00Z, 2026-12-31T18:30:00Z, 2027-01-31T18:30:00Z",
        // midnight was skipped: the day began at one o'clock
        "DAY,   America/Sao_Paulo, 2018-11-04T12:00:00Z, 2018-11-04T03:00:00Z, 2018-11-05T02:00:00Z",
        // at midnight the clock went back to eleven: the day had 25 hours
        "DAY,   America/Sao_Paulo, 2018-02-18T02:30:00Z, 2018-02-17T02:00:00Z, 2018-02-18T03:00:00Z",
        // a whole day was skipped
        "DAY,   Pacific/Apia,  2011-12-30T09:59:59Z, 2011-12-29T10:00:00Z, 2011-12-30T10:00:00Z",
        "DAY,   Pacific/Apia,  2011-12-30T10:00:00Z, 2011-12-30T10:00:00Z, 2011-12-31T10:00:00Z",
        // a minute after midnight the clock went back to yesterday: what has begun is not taken back
        "DAY,   America/St_Johns, 2006-10-29T02:29:59Z, 2006-10-28T02:30:00Z, 2006-10-29T02:30:00Z",
        "DAY,   America/St_Johns, 2006-10-29T03:00:00Z, 2006-10-29T02:30:00Z, 2006-10-30T03:30:00Z",
    })
    void followsTheCalendar(Window.Unit unit, ZoneId zone, Instant at, Instant start, Instant end) {
        assertBounds(Window.of(unit, zone), at, start, end);
    }

    private static void assertBounds(Window window, Instant at, Instant start, Instant end) {
        assertThat(instant(window.startMicros(TestTime.micros(at)))).isEqualTo(start);
        assertThat(instant(window.endMicros(TestTime.micros(at)))).isEqualTo(end);
    }

    private static Instant instant(long micros) {
        return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
    }

    /** Around every change of every zone there is: each moment lies in exactly one window, and windows leave no gap. */
    @ParameterizedTest
    @EnumSource
    void cutsTimeWithoutGapsInEveryZone(Window.Unit unit) {
        Random random = Seeds.random(getClass());
        boolean few = Seeds.rounds(1) == 1;
        Instant from = Instant.parse(few ? "2006-01-01T00:00:00Z" : "1900-01-01T00:00:00Z");
        Instant until = Instant.parse(few ? "2013-01-01T00:00:00Z" : "2040-01-01T00:00:00Z");
        Set<ZoneRules> seen = new HashSet<>();
        for (String id : ZoneId.getAvailableZoneIds()) {
            ZoneId zone = ZoneId.of(id);
            ZoneRules rules = zone.getRules();
            Window window = Window.of(unit, zone);
            ZoneOffsetTransition change = seen.add(rules) ? rules.nextTransition(from) : null;
            while (change != null && change.getInstant().isBefore(until)) {
                for (long hours : new long[] {-25, -1, 0, 1}) {
                    assertContinuous(window, change.getInstant().plus(hours, ChronoUnit.HOURS), random);
                }
                change = rules.nextTransition(change.getInstant());
            }
        }
    }

    private static void assertContinuous(Window window, Instant near, Random random) {
        long at = TestTime.micros(near) + random.nextInt(60_000_000);
        long start = window.startMicros(at);
        long end = window.endMicros(at);
        if (start > at || end <= at) {
            throw new AssertionError(window + " at " + near + ": " + instant(start) + " to " + instant(end));
        }
        long previous = start - 1;
        long[] samples = {start, start + random.nextLong(end - start), end - 1, previous, end};
        long[] starts = {start, start, start, window.startMicros(previous), end};
        long[] ends = {end, end, end, start, window.endMicros(end)};
        Window fresh = Limit.parse("1 per " + window).window(); // remembers nothing
        for (int i = 0; i < samples.length; i++) {
            boolean same = fresh.startMicros(samples[i]) == starts[i] && fresh.endMicros(samples[i]) == ends[i];
            if (!same || starts[i] > samples[i] || ends[i] <= samples[i]) {
                throw new AssertionError(window + " near " + near + ", sample " + instant(samples[i]));
            }
        }
    }

    @Test
    void remembersOnlyTheWindowItWasAskedAboutLast() {
        Window day = Window.of(Window.Unit.DAY, ZoneId.of("Europe/Berlin"));
        Instant monday = Instant.parse("2026-03-02T12:00:00Z");

        assertBounds(day, monday, Instant.parse("2026-03-01T23:00:00Z"), Instant.parse("2026-03-02T23:00:00Z"));
        assertBounds(
                day,
                monday.plus(1, ChronoUnit.DAYS),
                Instant.parse("2026-03-02T23:00:00Z"),
                Instant.parse("2026-03-03T23:00:00Z"));
        assertBounds(day, monday, Instant.parse("2026-03-01T23:00:00Z"), Instant.parse("2026-03-02T23:00:00Z"));
    }

    @Test
    void isTheSameAsAnotherOfTheSameUnitAndZone() {
        Window berlin = Window.of(Window.Unit.DAY, ZoneId.of("Europe/Berlin"));

        assertThat(berlin)
                .isEqualTo(Window.of(Window.Unit.DAY, ZoneId.of("Europe/Berlin")))
                .hasSameHashCodeAs(Window.of(Window.Unit.DAY, ZoneId.of("Europe/Berlin")))
                .isNotEqualTo(Window.of(Window.Unit.WEEK, ZoneId.of("Europe/Berlin")))
                .isNotEqualTo(Window.of(Window.Unit.DAY, ZoneId.of("Europe/Paris")))
                .hasToString("calendar-day Europe/Berlin");
    }

    @ParameterizedTest
    @CsvSource({"DAY, 25", "WEEK, 169", "MONTH, 745"})
    void isAsLongAsItsLongestWindow(Window.Unit unit, long hours) {
        assertThat(Window.of(unit, ZoneId.of("Europe/Berlin")).lengthMicros())
                .isEqualTo(Duration.ofHours(hours).toNanos() / 1_000);
    }
}
