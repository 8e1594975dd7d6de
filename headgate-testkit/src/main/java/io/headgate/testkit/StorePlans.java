package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Standing;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The second chapter of the {@link StoreContract}: plans of several limits, keys that look alike, limits that change. */
abstract class StorePlans extends StoreVerbs {

    /** A denial leaves every limit as it was. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void chargesNoLimitWhenOneDenies(String algorithm) {
        Limit wide = Limit.parse("100/day").using(algorithm).named("wide");
        Limit narrow = Limit.parse("3/day").using("fixed-window").named("narrow");
        RateLimiter limiter = limiter("plan", wide, narrow);
        assertThat(limiter.tryAcquire("alice", 3)).isAllowed().hasRemaining(0);
        List<Long> before = remaining(limiter.peek("alice"));
        for (int i = 0; i < 50; i++) {
            assertThat(limiter.tryAcquire("alice", 2)).isDenied();
        }
        assertThat(remaining(limiter.peek("alice"))).isEqualTo(before);
    }

    /** Two limits on one subject both hold, and the one that decides is named. */
    @Test
    public void namesTheLimitThatDecides() {
        Limit minute = Limit.parse("4/h").using("sliding-window-log").named("hourly");
        Limit day = Limit.parse("6/day").using("token-bucket").named("daily");
        RateLimiter limiter = limiter("plan", minute, day);
        assertThat(limiter.tryAcquire("alice", 3)).isAllowed().hasRemaining(1).wasDecidedBy(minute);
        assertThat(limiter.tryAcquire("alice", 4)).isDenied().hasRemaining(1).wasDecidedBy(day); // waits longest
        assertThat(limiter.tryAcquire("alice", 5))
                .isImpossible()
                .hasRemaining(1)
                .wasDecidedBy(minute);
        assertThat(limiter.tryAcquire("alice", 7)).isImpossible().wasDecidedBy(minute);
        Decision last = limiter.tryAcquire("alice");
        assertThat(last).isAllowed().hasRemaining(0).wasDecidedBy(minute);
        assertThat(last.standings().stream().map(Standing::limit)).containsExactly(minute, day);
        assertThat(remaining(last)).containsExactly(0L, 2L);
        Decision denied = limiter.tryAcquire("alice");
        assertThat(denied).isDenied().wasDecidedBy(minute);
        assertThat(denied.standings().get(1).retryAfter()).isZero();
    }

    @Test
    public void takesAChargeBackFromEveryLimit() {
        RateLimiter limiter = limiter(
                "plan",
                Limit.parse("9/day"),
                Limit.parse("8/day").using("fixed-window"),
                Limit.parse("7/day").using("sliding-window-log"),
                Limit.parse("6/day").using("sliding-window-counter"),
                Limit.parse("5/day").using("sliding-window"));
        Decision.Allowed first = granted(limiter.tryAcquire("alice", 2));
        limiter.tryAcquire("alice", 1);
        limiter.refund(first);
        limiter.refund(first);
        assertThat(remaining(limiter.peek("alice"))).containsExactly(8L, 7L, 6L, 5L, 4L);
        limiter.reset("alice");
        assertThat(remaining(limiter.peek("alice"))).containsExactly(9L, 8L, 7L, 6L, 5L);
    }

    @Test
    public void keepsKeysApart() {
        List<String> names = List.of(
                "a",
                "a.b",
                "a:b",
                "b",
                "b.c",
                ":",
                "::",
                "{a}",
                "{a",
                "a}",
                "{}",
                "a\r\nb",
                "a\nb",
                "a\0",
                "\0",
                " ",
                "*",
                "%00",
                "null",
                "____EMPTY_KEY__",
                "\u00e9",
                "e\u0301",
                "\ud83d\ude00",
                "\ud83d",
                "A",
                "x".repeat(10_000),
                "x".repeat(9_999) + "y",
                "a,b",
                "a|b",
                "a\\b",
                "1",
                "01");
        List<RateLimiter> limiters = new ArrayList<>();
        for (String scope : names) {
            limiters.add(headgate().limiter(scope, Plan.of(Limit.parse("1/day").using("fixed-window"))));
        }
        for (RateLimiter limiter : limiters) {
            for (String subject : names) {
                assertThat(limiter.tryAcquire(subject))
                        .as("%s, %s", limiter.scope(), subject)
                        .isAllowed();
            }
        }
        for (RateLimiter limiter : limiters) {
            for (String subject : names) {
                assertThat(limiter.tryAcquire(subject))
                        .as("%s, %s", limiter.scope(), subject)
                        .isDenied();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void sharesWhatWasSpentBetweenLimitersOfOneScope(String algorithm) {
        Limit limit = Limit.parse("5/day").using(algorithm);
        limiter("shared", limit).tryAcquire("alice", 5);
        assertThat(limiter("shared", Limit.parse("5/day").using(algorithm)).tryAcquire("alice"))
                .isDenied();
        assertThat(limiter("other", limit).tryAcquire("alice")).isAllowed();
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void keepsWhatWasSpentWhenTheLimitChanges(String algorithm) {
        assumeTrue(!algorithm.equals("leaky-bucket"), "holds no balance");
        limiter("5/day", algorithm).tryAcquire("alice", 4);
        assertThat(limiter("5/day", algorithm).peek("alice")).hasRemaining(1);
        assertThat(limiter("9/day", algorithm).peek("alice")).isAllowed().hasRemaining(5);
        assertThat(limiter("3/day", algorithm).peek("alice")).isDenied().hasRemaining(0);
        assertThat(limiter("9/day", algorithm).tryAcquire("alice", 5))
                .isAllowed()
                .hasRemaining(0);
        assertThat(limiter("10/day", algorithm).tryAcquire("alice", 1))
                .isAllowed()
                .hasRemaining(0);
        assertThat(limiter("10 per 48h", algorithm).tryAcquire("alice", 1)).isDenied();
        assertThat(limiter("20 per 12h", algorithm).peek("alice")).hasRemaining(10);
    }

    @Test
    public void startsAnewUnderAnotherAlgorithmOrName() {
        limiter("5/day", "token-bucket").tryAcquire("alice", 4);
        assertThat(limiter("5/day", "fixed-window").peek("alice")).hasRemaining(5);
        limiter("plan", Limit.parse("5/day").named("one")).tryAcquire("alice", 4);
        assertThat(limiter("plan", Limit.parse("5/day").named("two")).peek("alice"))
                .hasRemaining(5);
    }

    @Test
    public void carriesEachLimitOverByItsName() {
        Limit one = Limit.parse("5/day").named("one");
        Limit two = Limit.parse("6/day").named("two");
        limiter("plan", one, two).tryAcquire("alice", 4);
        assertThat(remaining(limiter("plan", two, one).peek("alice"))).containsExactly(2L, 1L);
        Limit three = Limit.parse("7/day").named("three");
        assertThat(remaining(limiter("plan", three, one).peek("alice"))).containsExactly(7L, 1L);
    }

    /**
     * Plans alternate under a plan resolver that looks at more than the subject. If every change of plan started a new budget,
     * nothing would be limited.
     */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void limitsByBothWhenTwoPlansTakeTurns(String algorithm) {
        assumeTrue(!algorithm.equals("leaky-bucket"), "holds no balance");
        RateLimiter one = limiter("turns", Limit.parse("5/day").using(algorithm).named("one"));
        RateLimiter other = limiter("turns", Limit.parse("3/day").using("fixed-window"));
        int ofOne = 0;
        int ofOther = 0;
        for (int i = 0; i < 20; i++) {
            ofOne += one.tryAcquire("alice").allowed() ? 1 : 0;
            ofOther += other.tryAcquire("alice").allowed() ? 1 : 0;
        }
        assertThat(ofOne).isEqualTo(5);
        assertThat(ofOther).isEqualTo(3);
    }

    /** DESIGN 4: nobody gets a fresh budget from a redeploy, whichever limits the plan contained in the meantime. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void goesOnWhereItWasWhenALimitComesBack(String algorithm) {
        assumeTrue(!algorithm.equals("leaky-bucket"), "holds no balance");
        Limit daily = Limit.parse("50/day").using(algorithm);
        Limit spikes = Limit.parse("40/day").using(algorithm).named("spikes");
        limiter("plan", spikes, daily).tryAcquire("alice", 7);
        limiter("plan", daily).tryAcquire("alice", 2);
        assertThat(remaining(limiter("plan", spikes, daily).peek("alice"))).containsExactly(33L, 41L);
        assertThat(remaining(limiter("plan", spikes).peek("alice"))).containsExactly(33L);
        limiter("plan", daily).reset("alice");
        assertThat(remaining(limiter("plan", daily, spikes).peek("alice"))).containsExactly(50L, 33L);
    }

    /** A named limit does not count in the places of unnamed limits, so it can be put in front of them. */
    @Test
    public void keepsWhatWasSpentWhenANamedLimitIsPutInFront() {
        limiter("plan", Limit.parse("5/day")).tryAcquire("alice", 4);
        RateLimiter both = headgate().limiter("plan", Plan.parse("100/day named spikes", "5/day"));
        assertThat(remaining(both.peek("alice"))).containsExactly(100L, 1L);
    }
}
