package io.headgate.algorithm;

import static io.headgate.testkit.AlgorithmAndStoreSteps.steps;
import static io.headgate.testkit.Steps.at;

import io.headgate.Limit;
import io.headgate.testkit.Steps;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A bucket of tokens that refills continuously. */
class TokenBucketTest {

    @Test
    void refillsOnePermitAtATime() {
        steps(
                Limit.parse("2/min"),
                at("0s").take(1).allowed(1).resetsAfter("30s"),
                at("0s").take(1).allowed(0).resetsAfter("1min"),
                at("1s").take(1).denied("29s").resetsAfter("59s"), // one permit returns every 30 s
                at("30s").take(1).allowed(0));
    }

    /** Known bug T11: shorter than any timer's period, and longer. */
    @Test
    void refillsInStepsThatNoTimerCouldKeep() {
        steps(
                Limit.parse("5000 per 1ms"), // five every microsecond
                at("0s").take(5000).allowed(0),
                at("1us").take(5).allowed(0),
                at("3us").take(11).denied("1us").remaining(10),
                at("1ms3us").take(5000).allowed(0));
        steps(
                Limit.parse("1 per 366d"),
                at("0s").take(1).allowed(0),
                at("8783h").take(1).denied("1h"),
                at("8784h").take(1).allowed(0));
    }

    @Test
    void allowsExactlyAtRetryAfter() {
        steps(
                Limit.parse("3/s"), // one permit every 333,333 1/3 us
                at("0s").take(3).allowed(0),
                at("0s").take(1).denied("333334us"),
                at("333333us").take(1).denied("1us"),
                at("333334us").take(1).allowed(0),
                at("333334us").take(1).denied("333333us"), // the fraction is not lost: the second is due at 666,666 2/3
                at("1s").take(2).allowed(0));
    }

    @Test
    void savesUpToTheBurstAndNoMore() {
        steps(
                Limit.parse("1/s burst 5"),
                at("0s").take(5).allowed(0).resetsAfter("5s"),
                at("3s").peek(3).allowed(3),
                at("3s").peek(4).denied("1s"),
                at("1h").take(6).impossible(),
                at("1h").take(5).allowed(0));
    }

    @Test
    void deniesForGoodWhatTheBucketCannotHold() {
        steps(
                Limit.parse("100/min burst 20"),
                at("0s").take(21).impossible().remaining(20), // Known bug C4
                at("0s").take(20).allowed(0),
                at("0s").take(21).impossible().remaining(0).resetsAfter("12s"));
    }

    /** Known bug T9. */
    @Test
    void deniesEverythingAtZero() {
        steps(
                Limit.parse("0/min"),
                at("0s").take(1).impossible().remaining(0).resetsAfter("0s"),
                at("1h").peek(1).impossible(),
                at("1h").reset().impossible());
    }

    @Test
    void reservesSlotsForThoseWhoWait() {
        steps(
                Limit.parse("1/s burst 2"),
                at("0s").take(2).within("10s").allowed(0).delayedBy("0s"),
                at("0s").take(1).within("10s").allowed(0).delayedBy("1s"),
                at("0s").take(2).within("10s").allowed(0).delayedBy("3s"),
                at("0s").take(1).denied("4s"), // behind those who wait
                at("0s").take(1).within("3s999999us").denied("4s"),
                at("0s").take(1).within("4s").allowed(0).delayedBy("4s").resetsAfter("6s"),
                at("4s").peek(1).denied("1s"));
    }

    /** Whether or not anybody comes by at the moment when the last slot begins. */
    @Test
    void keepsTheWaitItToldBehindAGap() {
        for (String between : List.of("2s", "4s")) {
            steps(
                    Limit.parse("1/s burst 3"),
                    at("0s").take(3).allowed(0),
                    at("0s").take(1).within("10s").as("leaver").delayedBy("1s"),
                    at("0s").take(1).within("10s").delayedBy("2s"),
                    at("0s").refund("leaver").remaining(0),
                    at("0s").peek(3).denied("4s"),
                    at(between).peek(1).allowed(),
                    at("4s").take(3).allowed(0));
        }
    }

    @Test
    void refundsInAnyOrder() {
        steps(
                Limit.parse("100/min burst 3"),
                at("0s").take(1).as("a").allowed(2),
                at("0s").take(1).as("b").allowed(1),
                at("0s").take(1).as("c").allowed(0),
                at("0s").refund("b").remaining(1),
                at("0s").refund("a").remaining(2),
                at("0s").refund("c").remaining(3));
    }

    @Test
    void refundsInAnyOrderWhilePermitsFlowOff() {
        steps(
                Limit.parse("60/min burst 30"),
                at("0s").take(10).as("a").allowed(20),
                at("0s").take(10).as("b").allowed(10),
                at("0s").take(10).as("c").allowed(0),
                at("1s").refund("b").remaining(11),
                at("1s").refund("c").remaining(21),
                at("1s").refund("a").remaining(21)); // nine of it are left, but b and c might have lain ahead
    }

    @Test
    void givesBackOnlyWhatHasNotFlowedOff() {
        steps(
                Limit.parse("60/min burst 10"),
                at("0s").take(4).as("a").allowed(6),
                at("1s").take(4).as("b").allowed(3),
                at("3s").refund("a").remaining(6), // three of four have flowed off
                at("3s").refund("a").remaining(6),
                at("3s").refund("b").remaining(10));
    }

    @Test
    void givesBackNothingOfACharegThatHasFlowedOff() {
        steps(
                Limit.parse("60/min burst 10"),
                at("0s").take(2).as("a").allowed(8),
                at("1s999999us").take(2).allowed(7),
                at("2s").refund("a").remaining(8));
    }

    @Test
    void givesBackNoMoreThanIsStillThereWhenEarlierChargesWereRefunded() {
        steps(
                Limit.parse("60/min burst 6"),
                at("0s").take(1).as("a").allowed(5),
                at("0s").take(1).as("b").allowed(4),
                at("0s").take(1).as("c").allowed(3),
                at("0s").refund("a").remaining(4),
                at("1s").take(5).allowed(0), // b has flowed off, c has not
                at("1s").refund("b").remaining(0),
                at("1s").refund("c").remaining(1));
    }

    @Test
    void givesBackNothingAfterTheBucketWasEmptiedByRefunds() {
        steps(
                Limit.parse("60/min burst 5"),
                at("0s").take(1).as("a").allowed(4),
                at("0s").take(1).as("b").allowed(3),
                at("0s").refund("a").remaining(4),
                at("1s").take(5).allowed(0), // b has flowed off
                at("1s").refund("b").remaining(0));
    }

    @Test
    void givesBackNothingAfterAReset() {
        steps(
                Limit.parse("60/min burst 5"),
                at("0s").take(3).as("a").allowed(2),
                at("0s").reset().remaining(5),
                at("0s").refund("a").remaining(5),
                at("1us").take(3).allowed(2));
        steps(
                Limit.parse("60/min burst 5"),
                at("0s").take(3).as("a").allowed(2),
                at("0s").reset().remaining(5),
                at("1us").take(3).allowed(2),
                at("1us").refund("a").remaining(2));
    }

    @Test
    void movesNobodyUpWhenOneInTheMiddleLeaves() {
        steps(
                Limit.parse("1/s burst 1"),
                at("0s").take(1).as("a").allowed(0),
                at("0s").take(1).within("9s").as("b").delayedBy("1s"),
                at("0s").take(1).within("9s").as("c").delayedBy("2s"),
                at("0s").refund("b").denied("3s"), // c keeps its slot, and nobody else can have b's
                at("0s").refund("c").denied("1s"), // and now nobody is behind it
                at("0s").take(1).within("9s").delayedBy("1s"));
    }

    /** Those who left ahead of the last one who waits have taken nothing, once that one has started. */
    @Test
    void hasThePermitsOfThoseWhoLeftOnceAllWhoWaitedHaveStarted() {
        steps(
                Limit.parse("1/s burst 3"),
                at("0s").take(3).allowed(0),
                at("0s").take(2).within("9s").as("b").delayedBy("2s"),
                at("0s").take(1).within("9s").as("c").delayedBy("3s"),
                at("0s").refund("b").denied("3s"),
                at("2s999ms").take(2).denied("1ms"),
                at("3s").take(2).allowed(0),
                at("3s").take(1).denied("1s"));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenTheRateIsRaised() {
        steps(
                Limit.parse("10/min"),
                at("0s").take(5).allowed(5),
                at("6s").peek(1).remaining(6), // one returns every 6 s
                at("6s").change(Limit.parse("20/min")).remaining(16),
                at("9s").peek(1).remaining(17));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenTheRateIsLowered() {
        steps(
                Limit.parse("10/min"),
                at("0s").take(8).allowed(2),
                at("24s").change(Limit.parse("5/min")).remaining(1),
                at("25s").take(2).denied("11s"),
                at("36s").take(2).allowed(0));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenTheBurstChanges() {
        steps(
                Limit.parse("60/min burst 10"),
                at("0s").take(8).allowed(2),
                at("500ms").change(Limit.parse("60/min burst 4")).remaining(0).denied("4s500ms"),
                at("5s").take(1).allowed(0),
                at("5s").change(Limit.parse("60/min burst 20")).remaining(16));
    }

    @Test
    void givesBackNothingOfAChargeFromBeforeTheRateChanged() {
        steps(
                Limit.parse("60/min burst 10"),
                at("0s").take(4).as("a").allowed(6),
                at("3s").take(1).allowed(8),
                at("3s").change(Limit.parse("1/h burst 10")).remaining(8),
                at("3s").refund("a").remaining(8));
    }

    /** Known bug T4. */
    @Test
    void grantsNothingWhenTheClockStepsBack() {
        Steps.steps(
                Limit.parse("60/min burst 10"),
                at("1h").take(8).as("a").allowed(2),
                at("0s").peek(1).remaining(2).resetsAfter("8s"),
                at("0s").take(3).denied("1s"),
                at("8s").peek(1).remaining(10),
                at("8s").refund("a").remaining(10));
    }
}
