package io.headgate.testkit;

import io.headgate.Decision;
import io.headgate.Limit;
import java.time.Duration;
import org.assertj.core.api.AbstractAssert;
import org.jspecify.annotations.Nullable;

/**
 * Assertions about a decision.
 *
 * <pre>{@code
 * assertThat(limiter.tryAcquire("alice")).isAllowed().hasRemaining(9);
 * assertThat(limiter.tryAcquire("alice", 10)).isDenied().retriesAfter(Duration.ofSeconds(6));
 * }</pre>
 */
public final class DecisionAssert extends AbstractAssert<DecisionAssert, @Nullable Decision> {

    private DecisionAssert(@Nullable Decision actual) {
        super(actual, DecisionAssert.class);
    }

    public static DecisionAssert assertThat(@Nullable Decision actual) {
        return new DecisionAssert(actual);
    }

    public DecisionAssert isAllowed() {
        return is(Decision.Allowed.class, "allowed");
    }

    public DecisionAssert isDenied() {
        return is(Decision.Denied.class, "denied");
    }

    /** Asserts that the request is never allowed, however long the caller waits. */
    public DecisionAssert isImpossible() {
        return is(Decision.Impossible.class, "impossible");
    }

    /** Asserts that the store failed and the failure policy did not allow the request. */
    public DecisionAssert isUnavailable() {
        return is(Decision.Unavailable.class, "unavailable");
    }

    /** Asserts the largest cost that would be allowed now. */
    public DecisionAssert hasRemaining(long expected) {
        return equal("remaining", expected, decision().remaining());
    }

    /** Asserts that the request is denied and would be allowed after exactly this wait. */
    public DecisionAssert retriesAfter(Duration expected) {
        isDenied();
        return equal("retryAfter", expected, ((Decision.Denied) decision()).retryAfter());
    }

    /** Asserts the time until the whole budget is available again. */
    public DecisionAssert resetsAfter(Duration expected) {
        return equal("resetAfter", expected, decision().resetAfter());
    }

    /** Asserts that the request is allowed for a slot this far ahead; zero means that it may proceed at once. */
    public DecisionAssert isDelayedBy(Duration expected) {
        isAllowed();
        return equal("delay", expected, ((Decision.Allowed) decision()).delay());
    }

    /** Asserts which limit of the plan decided. */
    public DecisionAssert wasDecidedBy(Limit expected) {
        return equal("limit", expected, decision().limit());
    }

    private DecisionAssert is(Class<? extends Decision> kind, String word) {
        if (!kind.isInstance(decision())) {
            failWithMessage("Expected the decision to be %s, but was: %s", word, actual);
        }
        return this;
    }

    private DecisionAssert equal(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            failWithActualExpectedAndMessage(
                    found, expected, "Expected %s to be %s, but was %s in: %s", what, expected, found, actual);
        }
        return this;
    }

    private Decision decision() {
        isNotNull();
        if (actual == null) {
            throw new AssertionError("unreachable: the decision is not null");
        }
        return actual;
    }
}
