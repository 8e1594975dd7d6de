package io.headgate.algorithm;

import static io.headgate.testkit.AlgorithmAndStoreSteps.steps;
import static io.headgate.testkit.Steps.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Limit;
import io.headgate.testkit.Steps;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The current window, and of the previous one the share that the sliding window still covers. */
class SlidingWindowCounterTest {

    private static Limit counter(String text) {
        return Limit.parse(text).using("sliding-window-counter");
    }

    @Test
    void lendsThePreviousWindowsWeightOutAsItFades() {
        steps(
                counter("10/min"),
                at("30s").take(10).allowed(0).resetsAfter("1min30s"),
                at("30s").take(1).denied("36s"), // a tenth of the next window has to pass
                at("1min5s999999us").take(1).denied("1us"),
                at("1min6s").take(1).allowed(0),
                at("1min6s").take(1).denied("6s"),
                at("1min30s").peek(1).remaining(4), // 5 of 10, and one
                at("2min").peek(1).remaining(9));
    }

    @Test
    void waitsForTheWindowAfterNextWhenTheCurrentOneIsFull() {
        steps(
                counter("10/min"),
                at("0s").take(5).allowed(5),
                at("1min30s").take(7).allowed(0), // 2.5 of the first five, rounded up
                at("1min30s").take(3).denied("30s"), // when the first window has faded altogether
                at("1min30s").take(4).denied("38s571429us"), // when 7 have faded to 6
                at("1min30s").take(10).denied("1min30s"),
                at("2min").take(3).allowed(0),
                at("2min8s571428us").take(1).denied());
    }

    @Test
    void roundsAgainstTheCaller() {
        steps(
                counter("3/s"),
                at("0s").take(3).allowed(0),
                at("1s").take(1).denied("333334us"), // 3 fade to 2 at 1/3 s, which no microsecond hits
                at("1s333333us").take(1).denied("1us"),
                at("1s333334us").take(1).allowed(0));
    }

    @Test
    void givesBackAChargeOfTheCurrentOrThePreviousWindow() {
        steps(
                counter("10/min"),
                at("0s").take(4).as("a").allowed(6),
                at("1min").take(6).as("b").allowed(0),
                at("1min30s").refund("a").remaining(4),
                at("1min30s").refund("a").remaining(4),
                at("1min30s").refund("b").remaining(10).resetsAfter("0s"),
                at("1min30s").take(10).as("c").allowed(0),
                at("3min").refund("c").remaining(10));
    }

    @Test
    void givesBackNothingAfterAReset() {
        steps(
                counter("10/min"),
                at("0s").take(4).as("a").allowed(6),
                at("1s").reset().remaining(10),
                at("1s").take(4).allowed(6),
                at("1s").refund("a").remaining(6));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenTheLimitChanges() {
        steps(
                counter("10/min"),
                at("0s").take(6).as("a").allowed(4),
                at("1s").change(counter("8/min")).remaining(2),
                at("1s").change(counter("20/min")).remaining(14),
                at("1min30s").change(counter("20/h")).remaining(17).resetsAfter("1h58min30s"),
                at("1min30s").refund("a").remaining(17)); // only three of it are spent still, and no longer its own
    }

    /** Known bug T4: with both windows ahead of now, no more is spent than the limit allows. */
    @Test
    void recoversWhenTheClockStepsBack() {
        steps(
                counter("10/min"),
                at("10min").take(10).allowed(0),
                at("11min54s").take(9).allowed(0),
                at("0s").take(1).denied("1min6s"), // as if ten had been spent just now
                at("1min6s").take(1).allowed(0));
        steps(
                counter("10/min"),
                at("10min").take(2).as("a").allowed(8),
                at("11min").take(1).allowed(7),
                at("0s").peek(1).remaining(7),
                at("0s").refund("a").remaining(7));
    }

    /** Known bug T9. */
    @Test
    void deniesEverythingAtZero() {
        Steps.steps(
                counter("0/min"),
                at("0s").take(1).impossible(),
                at("1min").take(1).impossible());
    }

    /** Two full windows, seen from the second after the clock stepped back, are more than an int holds. */
    @Test
    void keepsTheLargestCountsWhenTheWidthChanges() {
        SlidingWindowCounter counter = new SlidingWindowCounter();
        long start = 1_794_780_000_000_000L;
        var full = counter.decode(new long[] {start, 60_000_000, Integer.MAX_VALUE, Integer.MAX_VALUE, 0});
        Limit limit = Limit.of(Integer.MAX_VALUE).per(Duration.ofHours(1)).using("sliding-window-counter");

        var mended = counter.rebase(full, limit, start + 1);

        assertThat(counter.remaining(mended, limit, start + 1)).isZero();
        assertThat(mended.current()).isEqualTo(Integer.MAX_VALUE);
    }
}
