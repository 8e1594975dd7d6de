package io.headgate.algorithm;

import static io.headgate.testkit.AlgorithmAndStoreSteps.steps;
import static io.headgate.testkit.Steps.at;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.testkit.ManualTime;
import io.headgate.testkit.Steps;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** One permit at a time, evenly spaced. */
class LeakyBucketTest {

    private static Limit leaky(String text) {
        return Limit.parse(text).using("leaky-bucket");
    }

    @Test
    void spacesPermitsEvenly() {
        steps(
                leaky("2/min"),
                at("0s").peek(1).remaining(2),
                at("0s").take(1).allowed(0).resetsAfter("30s"),
                at("0s").take(1).denied("30s"),
                at("29s999999us").take(1).denied("1us"),
                at("30s").take(1).allowed(0),
                at("59s").take(1).denied("1s"),
                at("2min").take(1).allowed(0), // an idle bucket saves nothing up
                at("2min").take(1).denied("30s"));
    }

    @Test
    void isBusyForAsManyIntervalsAsThePermitsTaken() {
        steps(
                leaky("60/min"),
                at("0s").take(3).allowed(0).resetsAfter("3s"),
                at("1s").take(1).denied("2s"),
                at("1s").take(60).denied("2s"), // a large one waits no longer: it starts when the bucket is idle
                at("3s").take(60).allowed(0).resetsAfter("1min"),
                at("3s").take(61).impossible());
    }

    @Test
    void keepsTheFractionOfASpacing() {
        steps(
                leaky("3/s"),
                at("0s").take(1).within("9s").delayedBy("0s"),
                at("0s").take(1).within("9s").delayedBy("333334us"),
                at("0s").take(1).within("9s").delayedBy("666667us"),
                at("0s").take(1).within("9s").delayedBy("1s").resetsAfter("1s333334us"));
    }

    @Test
    void queuesCallersForTheirSlots() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = Headgate.builder().timeSource(time).build().limiter("queue", Plan.of(leaky("60/min")));
        List<String> served = new ArrayList<>();
        CompletableFuture<Decision> last = CompletableFuture.completedFuture(null);
        for (int i = 0; i < 4; i++) {
            String name = "caller " + i;
            last = limiter.acquireAsync("door", 1, Duration.ofSeconds(10));
            last.thenAccept(granted -> served.add(name + " after " + Duration.between(ManualTime.START, time.now())));
        }
        assertThat(served).containsExactly("caller 0 after PT0S");
        time.advanceMicros(999_999);
        assertThat(served).hasSize(1);
        time.advanceMicros(1);
        assertThat(served).hasSize(2);
        time.advance(Duration.ofMinutes(1));
        assertThat(served)
                .containsExactly(
                        "caller 0 after PT0S", "caller 1 after PT1S", "caller 2 after PT2S", "caller 3 after PT3S");
        assertThat(last.join().allowed()).isTrue();
        assertThat(time.waiting()).isZero();
    }

    /** Known bugs A5, A7. */
    @Test
    void turnsAwayAtOnceWhomItCannotServeInTime() {
        ManualTime time = new ManualTime();
        RateLimiter limiter = Headgate.builder().timeSource(time).build().limiter("queue", Plan.of(leaky("60/min")));
        limiter.tryAcquire("door", 5);
        assertThat(limiter.acquireAsync("door", 1, Duration.ofSeconds(4)).join())
                .isInstanceOf(Decision.Denied.class);
        CompletableFuture<Decision> waiter = limiter.acquireAsync("door", 1, Duration.ofSeconds(5));
        assertThat(limiter.acquireAsync("door", 1, Duration.ofSeconds(5)).join())
                .isInstanceOf(Decision.Denied.class);
        waiter.cancel(true);
        assertThat(limiter.acquireAsync("door", 1, Duration.ofSeconds(5))).isNotDone(); // the slot is free again
    }

    @Test
    void givesASlotBackOnceNobodyIsBehindIt() {
        steps(
                leaky("60/min"),
                at("0s").take(2).as("a").allowed(0),
                at("0s").take(1).within("9s").as("b").delayedBy("2s"),
                at("0s").refund("a").denied("3s"), // b keeps its slot
                at("1s").refund("b").allowed(60),
                at("1s").take(1).within("9s").allowed(0));
    }

    @Test
    void givesBackWhatIsLeftOfTheLastCharge() {
        steps(
                leaky("60/min"),
                at("0s").take(5).as("a").allowed(0),
                at("2s500ms").refund("a").allowed(60),
                at("2s500ms").take(1).as("b").allowed(0).resetsAfter("1s"),
                at("2s500ms").refund("a").denied("1s"),
                at("3s500ms").refund("b").allowed(60));
    }

    /** Known bug A11. */
    @Test
    void staysBusyWhenTheLimitChanges() {
        steps(
                leaky("60/min"),
                at("0s").take(10).allowed(0),
                at("4s500ms").change(leaky("30/min")).denied("11s"), // five and a half are left, two seconds each
                at("15s500ms").take(1).allowed(0));
    }

    /** Known bug T4. */
    @Test
    void keepsWhatWasSpentWhenTheClockStepsBack() {
        Steps.steps(
                leaky("60/min"),
                at("1h").take(3).allowed(0),
                at("0s").take(1).denied("3s"),
                at("3s").take(1).allowed(0));
    }

    /** Known bug T9. */
    @Test
    void deniesEverythingAtZero() {
        steps(
                leaky("0/s"),
                at("0s").take(1).impossible().remaining(0),
                at("1s").take(1).within("1h").impossible());
    }
}
