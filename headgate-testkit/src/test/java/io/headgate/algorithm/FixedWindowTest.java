package io.headgate.algorithm;

import static io.headgate.testkit.AlgorithmAndStoreSteps.steps;
import static io.headgate.testkit.Steps.at;

import io.headgate.Limit;
import io.headgate.testkit.Step;
import io.headgate.testkit.Steps;
import java.time.LocalDateTime;
import java.time.ZoneId;
import org.junit.jupiter.api.Test;

/** So many permits per window. */
class FixedWindowTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static Limit fixed(String text) {
        return Limit.parse(text).using("fixed-window");
    }

    private static Step.Moment berlin(String local) {
        return at(LocalDateTime.parse(local).atZone(BERLIN).toInstant());
    }

    @Test
    void startsAnewWithEachWindow() {
        steps(
                fixed("3/min"),
                at("10s").take(2).allowed(1).resetsAfter("50s"),
                at("20s").take(2).denied("40s").remaining(1),
                at("20s").take(1).allowed(0),
                at("59s999999us").take(1).denied("1us"),
                at("1min").take(3).allowed(0).resetsAfter("1min"),
                at("1min").take(4).impossible());
    }

    /** Known bug T3: what the guide says of this algorithm. */
    @Test
    void allowsTwiceTheLimitAroundAnEdge() {
        steps(
                fixed("3/min"),
                at("59s999999us").take(3).allowed(0),
                at("1min").take(3).allowed(0),
                at("1min").take(1).denied("1min"));
    }

    @Test
    void givesBackACharegOfThisWindowOnly() {
        steps(
                fixed("3/min"),
                at("0s").take(2).as("a").allowed(1),
                at("1s").take(1).as("b").allowed(0),
                at("2s").refund("a").remaining(2),
                at("2s").refund("a").remaining(2),
                at("1min").take(3).allowed(0),
                at("1min").refund("b").remaining(0));
    }

    /** Spent in the third minute, carried into the first by a clock that stepped back, and gone in the second. */
    @Test
    void leavesAloneWhatIsGoneWhenItIsRefunded() {
        steps(
                fixed("3/min"),
                at("2min5s").take(2).as("a").allowed(1),
                at("50s").take(2).denied("10s").remaining(1),
                at("1min5s").refund("a").remaining(3),
                at("51s").peek(1).remaining(1));
    }

    @Test
    void givesBackNothingAfterAReset() {
        steps(
                fixed("3/min"),
                at("0s").take(2).as("a").allowed(1),
                at("1s").reset().remaining(3),
                at("1s").take(2).allowed(1),
                at("1s").refund("a").remaining(1));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenNChanges() {
        steps(
                fixed("10/min"),
                at("0s").take(6).as("a").allowed(4),
                at("1s").change(fixed("8/min")).remaining(2),
                at("1s").change(fixed("4/min")).remaining(0).denied("59s"),
                at("1s").change(fixed("20/min")).remaining(14),
                at("1s").refund("a").remaining(20));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenTheWindowGrowsOrShrinks() {
        steps(
                fixed("10/min"),
                at("50s").take(6).allowed(4),
                at("55s").change(fixed("10 per 10s")).remaining(4).resetsAfter("5s"),
                at("1min").change(fixed("10 per 10s")).remaining(10));
        steps(
                fixed("10 per 10s"),
                at("35s").take(6).allowed(4),
                at("38s").change(fixed("10/min")).remaining(4).resetsAfter("22s"),
                at("45s").take(4).allowed(0),
                at("1min").peek(1).remaining(10));
        steps(
                fixed("10 per 10s"),
                at("35s").take(6).allowed(4),
                at("45s")
                        .change(fixed("10/min"))
                        .remaining(10)); // nothing was spent any more, and a store may have forgotten it
        steps(
                fixed("10 per 7s"),
                at("41s").take(6).allowed(4), // the window began before :40, but what was spent may lie after
                at("41s").change(fixed("10 per 20s")).remaining(4).resetsAfter("19s"),
                at("1min").peek(1).remaining(10));
    }

    /** Known bug T4. */
    @Test
    void keepsWhatWasSpentWhenTheClockStepsBack() {
        steps(
                fixed("3/min"),
                at("5min").take(2).allowed(1),
                at("30s").take(2).denied("30s").remaining(1),
                at("30s").take(1).allowed(0),
                at("1min").take(3).allowed(0));
    }

    @Test
    void countsDaysOfTwentyThreeAndTwentyFiveHours() {
        Limit limit = Limit.parse("2 per calendar-day Europe/Berlin");
        steps(
                limit,
                berlin("2026-03-29T00:00").take(2).allowed(0).resetsAfter("23h"),
                berlin("2026-03-29T01:59:59").take(1).denied("21h1s"),
                berlin("2026-03-29T03:00").take(1).denied("21h"),
                berlin("2026-03-30T00:00").take(1).allowed(1).resetsAfter("24h"),
                berlin("2026-10-25T00:00").take(2).allowed(0).resetsAfter("25h"),
                berlin("2026-10-25T02:30").take(1).denied("22h30min"), // the first half past two of the night
                berlin("2026-10-25T23:59:59").take(1).denied("1s"),
                berlin("2026-10-26T00:00").take(2).allowed(0));
    }

    @Test
    void countsWeeksFromMonday() {
        steps(
                Limit.parse("1 per calendar-week Europe/Berlin"),
                berlin("2026-03-22T23:59:59").take(1).allowed(0).resetsAfter("1s"),
                berlin("2026-03-23T00:00").take(1).allowed(0).resetsAfter("6d23h"), // loses an hour on Sunday
                berlin("2026-03-29T12:00").take(1).denied("12h"),
                berlin("2026-03-30T00:00").take(1).allowed(0).resetsAfter("7d"));
    }

    @Test
    void countsMonthsOfEveryLength() {
        steps(
                Limit.parse("1 per calendar-month Europe/Berlin"),
                berlin("2026-03-01T00:00").take(1).allowed(0).resetsAfter("30d23h"),
                berlin("2026-03-31T23:59:59").take(1).denied("1s"),
                berlin("2026-04-01T00:00").take(1).allowed(0).resetsAfter("30d"),
                berlin("2026-10-01T00:00").take(1).allowed(0).resetsAfter("31d1h"),
                berlin("2028-02-01T00:00").take(1).allowed(0).resetsAfter("29d"));
    }

    @Test
    void keepsWhatWasSpentTodayWhenTheDayMovesToAnotherZone() {
        steps(
                Limit.parse("10 per calendar-day Europe/Berlin"),
                berlin("2026-06-01T10:00").take(6).allowed(4),
                berlin("2026-06-01T10:00")
                        .change(Limit.parse("10 per calendar-day America/New_York"))
                        .remaining(4)
                        .resetsAfter("20h"),
                berlin("2026-06-02T06:00").peek(1).remaining(10));
    }

    /** Known bug T9. */
    @Test
    void deniesEverythingAtZero() {
        Steps.steps(
                fixed("0/min"),
                at("0s").take(1).impossible(),
                at("1min").take(1).impossible());
    }
}
