package io.headgate.algorithm;

import static io.headgate.testkit.AlgorithmAndStoreSteps.steps;
import static io.headgate.testkit.Steps.at;

import io.headgate.Limit;
import io.headgate.Plan;
import org.junit.jupiter.api.Test;

/** Several limits, granted all or nothing. */
class PlanTest {

    private static final Limit SECOND = Limit.parse("2/s").using("fixed-window");
    private static final Limit MINUTE = Limit.parse("3/min").using("sliding-window-log");

    /** Known bugs A3, C6. */
    @Test
    void chargesNoneUnlessAllGrant() {
        steps(
                Plan.of(SECOND, MINUTE),
                at("0s").take(2).allowed(0).decidedBy(SECOND),
                at("0s").take(1).denied("1s").decidedBy(SECOND),
                at("1s").take(2).denied("59s").remaining(1).decidedBy(MINUTE),
                at("1s").take(1).allowed(0).decidedBy(MINUTE),
                at("1s").take(3).impossible().decidedBy(SECOND),
                at("2s").take(1).denied("58s").decidedBy(MINUTE).resetsAfter("59s"));
    }

    @Test
    void givesBackWhatEachLimitStillHolds() {
        steps(
                Plan.of(SECOND, MINUTE),
                at("0s").take(2).as("a").allowed(0),
                at("1s").take(1).allowed(0),
                at("1s").refund("a").allowed(1).decidedBy(SECOND),
                at("1s").take(1).allowed(0));
    }

    /** The fast limit may not count as idle while a slot is still to begin, only because the slow one puts that off. */
    @Test
    void countsASlotFromItsBeginningUnderEveryLimit() {
        Limit fast = Limit.parse("10/s burst 1").named("fast");
        Limit slow = Limit.parse("1/s burst 2").named("slow");
        steps(
                Plan.of(fast, slow),
                at("0s").take(1).allowed(0),
                at("100ms").take(1).allowed(0),
                at("100ms").take(1).within("9s").as("b").delayedBy("900ms"),
                at("100ms").take(1).within("9s").as("c").delayedBy("1s900ms"),
                at("100ms").refund("b").denied("2s").decidedBy(fast),
                at("2s").take(1).denied("100ms").decidedBy(fast), // c starts now, and slow has b's permit left
                at("2s100ms").take(1).allowed(0));
    }

    /** A plan may grow, shrink and be reordered while a request is under way. */
    @Test
    void givesBackToTheLimitsAChargeWasMadeOn() {
        steps(
                Plan.of(MINUTE),
                at("0s").take(2).as("a").allowed(1),
                at("0s").change(SECOND, MINUTE).remaining(1),
                at("0s").take(1).as("b").allowed(0),
                at("0s").refund("a").remaining(1).decidedBy(SECOND),
                at("0s").change(MINUTE).remaining(2),
                at("0s").refund("b").remaining(3));
    }

    @Test
    void keepsWhatWasSpentUnderEachNameOrPlace() {
        Limit calls = Limit.parse("10/min").named("calls");
        Limit bytes = Limit.parse("10/min").named("bytes");
        steps(
                Plan.of(calls),
                at("0s").take(4).allowed(6),
                at("0s").change(bytes, calls).remaining(6).decidedBy(calls),
                at("0s").change(bytes).remaining(10),
                at("0s").change(Limit.parse("10/min").using("fixed-window")).remaining(10));
    }
}
