package io.headgate.algorithm;

import static io.headgate.testkit.Steps.at;
import static io.headgate.testkit.Told.steps;

import io.headgate.Limit;
import org.junit.jupiter.api.Test;

class TokenBucketTest {

    @Test
    void refillsOnePermitAtATime() {
        steps(
                Limit.parse("2/min"),
                at("0s").take(1).allowed(1),
                at("0s").take(1).allowed(0),
                at("1s").take(1).denied("29s"), // one permit returns every 30 s
                at("30s").take(1).allowed(0));
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

    /** CATALOGUE A11. */
    @Test
    void keepsWhatWasSpentWhenTheRateIsRaised() {
        steps(
                Limit.parse("10/min"),
                at("0s").take(5).allowed(5),
                at("6s").peek(1).remaining(6), // one returns every 6 s
                at("6s").change(Limit.parse("20/min")).remaining(16),
                at("9s").peek(1).remaining(17));
    }

    /** CATALOGUE A11. */
    @Test
    void keepsWhatWasSpentWhenTheRateIsLowered() {
        steps(
                Limit.parse("10/min"),
                at("0s").take(8).allowed(2),
                at("24s").change(Limit.parse("5/min")).remaining(1),
                at("25s").take(2).denied("11s"),
                at("36s").take(2).allowed(0));
    }
}
