package io.headgate.algorithm;

import static io.headgate.testkit.AlgorithmAndStoreSteps.steps;
import static io.headgate.testkit.Steps.at;

import io.headgate.Limit;
import io.headgate.testkit.Steps;
import org.junit.jupiter.api.Test;

/** The current part of the window and the ten before it, counted in full. */
class SlidingWindowTest {

    private static Limit sliding(String text) {
        return Limit.parse(text).using("sliding-window");
    }

    @Test
    void givesAPartBackWhenTenMoreHavePassed() {
        steps(
                sliding("10 per 10s"),
                at("500ms").take(4).allowed(6).resetsAfter("10s500ms"),
                at("1s500ms").take(6).allowed(0),
                at("1s500ms").take(1).denied("9s500ms"),
                at("1s500ms").take(5).denied("10s500ms"),
                at("10s999999us").take(1).denied("1us"),
                at("11s").take(5).denied("1s").remaining(4),
                at("11s").take(4).allowed(0),
                at("12s").take(6).allowed(0));
    }

    /** Known bug T3. */
    @Test
    void neverExceedsTheLimitAroundAnEdge() {
        steps(
                sliding("10 per 10s"),
                at("9s999999us").take(10).allowed(0),
                at("10s").take(1).denied("10s"), // at most a tenth later than it could
                at("19s999999us").take(1).denied("1us"),
                at("20s").take(10).allowed(0));
    }

    @Test
    void cutsOddWindowsIntoPartsThatCoverThem() {
        steps(
                sliding("1 per 999991us"), // parts of 100 ms
                at("0s").take(1).allowed(0),
                at("0s").take(1).denied("1s100ms"),
                at("1s99ms999us").take(1).denied("1us"),
                at("1s100ms").take(1).allowed(0));
    }

    @Test
    void givesBackAChargeOfAnyPartThatStillCounts() {
        steps(
                sliding("10 per 10s"),
                at("0s").take(3).as("a").allowed(7),
                at("5s").take(3).as("b").allowed(4),
                at("10s").take(4).as("c").allowed(0),
                at("10s").refund("a").remaining(3),
                at("10s").refund("a").remaining(3),
                at("16s").refund("b").remaining(6), // gone by itself
                at("16s").refund("c").remaining(10).resetsAfter("0s"));
    }

    /** The clock may step back to when they were spent. */
    @Test
    void leavesAloneWhatIsGoneWhenItIsRefunded() {
        steps(
                sliding("10 per 10s"),
                at("0s").take(2).as("a").allowed(8),
                at("1s").take(1).as("b").allowed(7),
                at("11s").refund("a").remaining(9), // only b counts
                at("1s500ms").peek(1).remaining(7),
                at("12s").refund("b").remaining(10));
    }

    @Test
    void givesBackNothingAfterAReset() {
        steps(
                sliding("10 per 10s"),
                at("0s").take(3).as("a").allowed(7),
                at("1s").reset().remaining(10),
                at("1s").take(3).allowed(7),
                at("1s").refund("a").remaining(7));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenTheLimitChanges() {
        steps(
                sliding("10 per 10s"),
                at("0s").take(3).as("a").allowed(7),
                at("5s").take(3).allowed(4),
                at("5s").change(sliding("8 per 10s")).remaining(2),
                at("5s").change(sliding("20 per 10s")).remaining(14),
                at("5s").change(sliding("20 per 100s")).remaining(14).resetsAfter("1min45s"),
                at("5s").take(1).allowed(13),
                at("5s").change(sliding("20 per 10s")).remaining(13).resetsAfter("11s"),
                at("5s").refund("a").remaining(13),
                at("16s").peek(1).remaining(20));
    }

    /** Known bug T4. */
    @Test
    void recoversWhenTheClockStepsBack() {
        steps(
                sliding("10 per 10s"),
                at("1h").take(4).as("a").allowed(6),
                at("1h5s").take(4).allowed(2),
                at("0s").take(3).denied("11s").remaining(2),
                at("0s").refund("a").remaining(2),
                at("11s").take(10).allowed(0));
    }

    @Test
    void grantsNothingWhenTheClockStepsBackALittle() {
        steps(
                sliding("10 per 10s"),
                at("1h").take(4).allowed(6),
                at("1h11s").peek(1).remaining(10),
                at("1h5s").peek(1).remaining(6));
    }

    /** Known bug T9. */
    @Test
    void deniesEverythingAtZero() {
        Steps.steps(
                sliding("0/min"),
                at("0s").take(1).impossible(),
                at("1min").take(1).impossible());
    }
}
