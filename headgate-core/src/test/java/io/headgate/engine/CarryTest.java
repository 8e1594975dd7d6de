package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.EachAlgorithm;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.TestTime;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a key takes along when its limit gets a longer window, or is 0 for a while. */
class CarryTest {

    private final TestTime time = new TestTime("2026-03-02T09:41:27.182818Z");
    private final Headgate headgate = Headgate.builder().timeSource(time).build();

    /** A store may forget a budget that is full; so whether it has must not show when the window changes afterwards. */
    @EachAlgorithm
    void takesNothingAlongFromABudgetThatWasFullAgain(String algorithm) {
        Decision spent = limiter("8/s", algorithm).tryAcquire("alice", 8);
        time.advance(spent.resetAfter());

        assertThat(limiter("8/h", algorithm).peek("alice").remaining()).isEqualTo(8);
    }

    @EachAlgorithm(except = "leaky-bucket")
    void takesAlongWhatIsStillSpent(String algorithm) {
        Decision spent = limiter("8/s", algorithm).tryAcquire("alice", 8);
        time.advance(spent.resetAfter().minus(Duration.ofNanos(1_000)));

        assertThat(limiter("8/h", algorithm).peek("alice").remaining()).isLessThan(8);
    }

    /** Known bug A11: it neither comes back at once nor stops coming back. */
    @EachAlgorithm
    void aLimitOfZeroLeavesWhatWasSpentAsItWas(String algorithm) {
        Decision spent = limiter("8/s", algorithm).tryAcquire("alice", 8);
        limiter("0/s", algorithm).tryAcquire("alice");
        time.advance(spent.resetAfter().minus(Duration.ofNanos(1_000)));
        limiter("0/s", algorithm).tryAcquire("alice");

        assertThat(limiter("8/s", algorithm).peek("alice", 8).allowed()).isFalse();
        time.advance(Duration.ofNanos(1_000));
        assertThat(limiter("8/s", algorithm).peek("alice", 8).allowed()).isTrue();
    }

    /** Known bug A4: as while a new release is rolled out, with requests to both. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "leaky-bucket"})
    void whoIsAskedUnderTwoLimitsInTurnIsNotLockedOut(String algorithm) {
        int granted = 0;
        for (int i = 0; i < 600; i++) {
            String limit = i % 2 == 0 ? "10/min" : "20/min";
            granted += limiter(limit, algorithm).tryAcquire("alice").allowed() ? 1 : 0;
            time.advance(Duration.ofSeconds(1));
        }

        assertThat(granted).isBetween(100, 220);
    }

    private RateLimiter limiter(String limit, String algorithm) {
        return headgate.limiter("api", Plan.of(Limit.parse(limit).using(algorithm)));
    }
}
