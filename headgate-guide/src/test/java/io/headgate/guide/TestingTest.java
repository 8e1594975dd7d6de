package io.headgate.guide;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static io.headgate.testkit.Steps.at;
import static io.headgate.testkit.Steps.steps;
import static io.headgate.testkit.Steps.story;

import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The snippets of the page on testing. */
class TestingTest {

    // snippet
    @Test
    void letsTheThirdInAfterHalfAMinute() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = Headgate.builder().timeSource(time).build().limiter("login", Plan.parse("2/min"));

        assertThat(limiter.tryAcquire("alice", 2)).isAllowed().hasRemaining(0);
        assertThat(limiter.tryAcquire("alice")).isDenied().retriesAfter(Duration.ofSeconds(30));
        time.advance(Duration.ofSeconds(30));
        assertThat(limiter.tryAcquire("alice")).isAllowed();
    }
    // end

    // snippet
    @Test
    void returnsOnePermitEveryHalfMinute() {
        steps(
                Limit.parse("2/min"),
                at("0s").take(1).allowed(1),
                at("0s").take(1).allowed(0),
                at("1s").take(1).denied("29s"),
                at("30s").take(1).allowed(0));
    }
    // end

    // snippet
    @Test
    void keepsWhatWasSpentWhenTheLimitIsRaised() {
        Plan plan = Plan.of(Limit.parse("2/h").using("sliding-window"));
        story(
                        plan,
                        at("0s").take(2).as("both").allowed(0),
                        at("1s").change(Limit.parse("3/h").using("sliding-window"))
                                .remaining(1),
                        at("2s").refund("both").remaining(3))
                .tell();
    }
    // end
}
