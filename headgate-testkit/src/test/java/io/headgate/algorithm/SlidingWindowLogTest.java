package io.headgate.algorithm;

import static io.headgate.testkit.AlgorithmAndStoreSteps.steps;
import static io.headgate.testkit.Steps.at;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.engine.BoundPlan;
import io.headgate.testkit.Steps;
import org.junit.jupiter.api.Test;

/** Every permit is remembered until it is W old. */
class SlidingWindowLogTest {

    private static Limit log(String text) {
        return Limit.parse(text).using("sliding-window-log");
    }

    @Test
    void givesEachPermitBackWhenItIsOldEnough() {
        steps(
                log("3 per 10s"),
                at("0s").take(1).allowed(2).resetsAfter("10s"),
                at("1s").take(1).allowed(1).resetsAfter("10s"),
                at("2s").take(1).allowed(0),
                at("5s").take(1).denied("5s").resetsAfter("7s"),
                at("5s").take(2).denied("6s"),
                at("5s").take(3).denied("7s"),
                at("5s").take(4).impossible(),
                at("9s999999us").take(1).denied("1us"),
                at("10s").take(1).allowed(0),
                at("10s").take(1).denied("1s"));
    }

    /** Known bug T3. */
    @Test
    void knowsNoEdges() {
        steps(
                log("3/min"),
                at("59s999999us").take(3).allowed(0),
                at("1min").take(1).denied("59s999999us"),
                at("1min59s999998us").take(1).denied("1us"),
                at("1min59s999999us").take(3).allowed(0));
    }

    @Test
    void givesBackAnyChargeThatIsStillThere() {
        steps(
                log("5 per 10s"),
                at("0s").take(2).as("a").allowed(3),
                at("1s").take(2).as("b").allowed(1),
                at("2s").take(1).as("c").allowed(0),
                at("3s").refund("b").remaining(2),
                at("3s").refund("b").remaining(2),
                at("3s").peek(4).denied("7s"), // a goes at 10 s, c at 12 s
                at("3s").peek(5).denied("9s"),
                at("10s").refund("a").remaining(4),
                at("10s").refund("c").remaining(5).resetsAfter("0s"));
    }

    /** The clock may step back to when they were spent. */
    @Test
    void leavesAloneWhatIsGoneWhenItIsRefunded() {
        steps(
                log("5 per 10s"),
                at("0s").take(2).as("a").allowed(3),
                at("1s").take(1).allowed(2),
                at("11s").refund("a").remaining(5),
                at("2s").peek(1).remaining(2));
        steps(
                log("5 per 10s"),
                at("0s").take(2).allowed(3),
                at("5s").take(1).as("b").allowed(2),
                at("11s").refund("b").remaining(5),
                at("6s").peek(1).remaining(3));
    }

    @Test
    void tellsChargesOfOneMomentApartByTheirNumber() {
        steps(
                log("9 per 10s"),
                at("0s").take(2).as("a").allowed(7),
                at("0s").take(3).as("b").allowed(4),
                at("0s").take(4).as("c").allowed(0),
                at("0s").refund("b").remaining(3),
                at("0s").refund("a").remaining(5),
                at("0s").refund("c").remaining(9));
    }

    @Test
    void givesBackNothingAfterAReset() {
        steps(
                log("5 per 10s"),
                at("0s").take(2).as("a").allowed(3),
                at("1s").reset().remaining(5),
                at("1s").take(2).allowed(3),
                at("1s").refund("a").remaining(3));
    }

    /** Known bug A11. */
    @Test
    void keepsWhatWasSpentWhenTheLimitChanges() {
        steps(
                log("5 per 10s"),
                at("0s").take(2).as("a").allowed(3),
                at("5s").take(2).allowed(1),
                at("5s").change(log("3 per 10s")).remaining(0).denied("5s"),
                at("5s").change(log("8 per 10s")).remaining(4),
                at("5s").change(log("8 per 4s")).remaining(6), // what is older than 4 s is no longer spent
                at("5s").change(log("8 per 20s")).remaining(4).resetsAfter("20s"),
                at("6s").refund("a").remaining(6));
    }

    /** Known bug T4. */
    @Test
    void keepsWhatWasSpentWhenTheClockStepsBack() {
        steps(
                log("5 per 10s"),
                at("1h").take(2).as("a").allowed(3),
                at("0s").peek(4).denied("10s").remaining(3),
                at("0s").take(3).allowed(0),
                at("5s").refund("a").remaining(0),
                at("10s").take(5).allowed(0));
    }

    @Test
    void holdsNoMoreThanThePermitsItAllowed() {
        SlidingWindowLog algorithm = new SlidingWindowLog(10);
        Limit limit = log("10/min");
        SlidingWindowLog.Log state = algorithm.take(algorithm.fresh(limit, 0), limit, 1, 0);
        SlidingWindowLog.Log first = algorithm.take(state, limit, 1, 1);
        for (int now = 2; now < 10_000; now++) {
            SlidingWindowLog.Log second = algorithm.take(first, limit, 1, now);
            first = algorithm.refund(second, first, limit, 1, now);
            first = new SlidingWindowLog.Log(
                    first.ring(), first.from(), first.to(), now, first.born(), first.keptMicros(), first.most(), 0, 0);
        }
        assertThat(algorithm.remaining(first, limit, 10_000)).isEqualTo(8);
        assertThat(first.ring()).hasSizeLessThanOrEqualTo(16);
    }

    @Test
    void rejectsMoreEntriesThanItIsToldToKeep() {
        assertThatThrownBy(() -> BoundPlan.check(Plan.of(log("10001/min")), Headgate.algorithms()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("10000")
                .hasMessageContaining("sliding-window keeps the same bound");
        BoundPlan.check(Plan.of(log("10000/min")), Headgate.algorithms());
        new SlidingWindowLog(7).check(log("7/min"));
    }

    /** Known bug T9. */
    @Test
    void deniesEverythingAtZero() {
        Steps.steps(
                log("0/min"), at("0s").take(1).impossible(), at("1min").take(1).impossible());
    }
}
