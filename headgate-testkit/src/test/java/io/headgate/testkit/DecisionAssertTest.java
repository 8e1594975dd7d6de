package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class DecisionAssertTest {

    private final Limit limit = Limit.parse("2/min").named("login");
    private final RateLimiter limiter =
            Headgate.builder().timeSource(new ManualTime()).build().limiter("api", Plan.of(limit));
    private final Decision allowed = limiter.tryAcquire("alice", 2);
    private final Decision denied = limiter.tryAcquire("alice");
    private final Decision impossible = limiter.tryAcquire("alice", 3);

    @Test
    void passesWhatIsSo() {
        assertThat(allowed)
                .isAllowed()
                .hasRemaining(0)
                .resetsAfter(Duration.ofMinutes(1))
                .isDelayedBy(Duration.ZERO)
                .wasDecidedBy(limit);
        assertThat(denied).isDenied().retriesAfter(Duration.ofSeconds(30));
        assertThat(impossible).isImpossible();
    }

    @Test
    void saysWhatWasExpectedAndShowsTheDecision() {
        fails(() -> assertThat(denied).isAllowed(), "Expected the decision to be allowed, but was: Denied");
        fails(() -> assertThat(allowed).isDenied(), "Expected the decision to be denied, but was: Allowed");
        fails(() -> assertThat(allowed).isImpossible(), "Expected the decision to be impossible, but was: Allowed");
        fails(() -> assertThat(allowed).isUnavailable(), "Expected the decision to be unavailable, but was: Allowed");
        fails(() -> assertThat(allowed).hasRemaining(1), "Expected remaining to be 1, but was 0 in: Allowed");
        fails(
                () -> assertThat(denied).retriesAfter(Duration.ofSeconds(29)),
                "Expected retryAfter to be PT29S, but was PT30S in: Denied");
        fails(
                () -> assertThat(denied).resetsAfter(Duration.ZERO),
                "Expected resetAfter to be PT0S, but was PT1M in: Denied");
        fails(
                () -> assertThat(allowed).isDelayedBy(Duration.ofSeconds(1)),
                "Expected delay to be PT1S, but was PT0S in: Allowed");
        fails(() -> assertThat(allowed).wasDecidedBy(limit.named("other")), "Expected limit to be ");
    }

    @Test
    void tellsAMissingDecisionFromAWrongOne() {
        fails(() -> assertThat(null).isAllowed(), "Expecting actual not to be null");
        fails(() -> assertThat(allowed).retriesAfter(Duration.ZERO), "Expected the decision to be denied");
        fails(() -> assertThat(denied).isDelayedBy(Duration.ZERO), "Expected the decision to be allowed");
    }

    private static void fails(ThrowingCallable assertion, String message) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(assertion).withMessageContaining(message);
    }
}
