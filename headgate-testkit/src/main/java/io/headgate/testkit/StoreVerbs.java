package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.RateLimiter;
import io.headgate.Standing;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The first chapter of the {@link StoreContract}: the decisions that a store must make for each operation. */
abstract class StoreVerbs extends StoreFixture {

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void allowsUpToTheLimitAndThenDenies(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        long atOnce = atOnce(algorithm, 5);
        for (long left = atOnce - 1; left >= 0; left--) {
            assertThat(limiter.tryAcquire("alice")).isAllowed().hasRemaining(left);
        }
        assertThat(limiter.tryAcquire("alice")).isDenied().hasRemaining(0);
        assertThat(limiter.tryAcquire("bob")).isAllowed();
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void takesAllOfACostOrNothing(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        assertThat(limiter.tryAcquire("alice", 3)).isAllowed();
        assertThat(limiter.tryAcquire("alice", 3)).isDenied();
        assertThat(limiter.peek("alice")).hasRemaining(algorithm.equals("leaky-bucket") ? 0 : 2);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void saysThatWaitingDoesNotHelp(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        assertThat(limiter.tryAcquire("alice", 6)).isImpossible().hasRemaining(5);
        assertThat(limiter.acquireAsync("alice", 6, Duration.ofDays(9)).join()).isImpossible();
        assertThat(limiter.peek("alice", Long.MAX_VALUE)).isImpossible().hasRemaining(5);
        assertThat(limiter("0/day", algorithm).tryAcquire("bob")).isImpossible().hasRemaining(0);
        assertThat(limiter("0/day", algorithm).peek("alice")).isImpossible().hasRemaining(0);
    }

    @Test
    public void rejectsACostBelowOneAndAnEmptyKey() {
        RateLimiter limiter = limiter("5/day", "token-bucket");
        for (long cost : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> limiter.tryAcquire("alice", cost)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> limiter.peek("alice", cost)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> limiter.tryAcquire("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(limiter.peek("alice")).hasRemaining(5);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void spendsNothingOnAPeek(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        for (int i = 0; i < 20; i++) {
            assertThat(limiter.peek("alice", 5)).isAllowed().hasRemaining(5);
        }
        limiter.tryAcquire("alice", 5);
        for (int i = 0; i < 20; i++) {
            assertThat(limiter.peek("alice")).isDenied().hasRemaining(0);
        }
        limiter.reset("alice");
        Decision peeked = limiter.peek("alice");
        limiter.refund((Decision.Allowed) peeked); // a receipt without a charge
        assertThat(limiter.peek("alice")).hasRemaining(5);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void givesTheWholeBudgetBackOnAReset(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        limiter.tryAcquire("alice", 5);
        limiter.tryAcquire("bob", 5);
        limiter.reset("alice");
        assertThat(limiter.peek("alice")).isAllowed().hasRemaining(5);
        assertThat(limiter.tryAcquire("alice", 5)).isAllowed();
        assertThat(limiter.peek("bob")).isDenied();
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void takesAChargeBackOnce(String algorithm) {
        assumeTrue(refunds(algorithm), "never refunds");
        RateLimiter limiter = limiter("9/day", algorithm);
        Decision.Allowed other = granted(limiter.tryAcquire("alice", 2));
        limiter.refund(other);
        limiter.tryAcquire("alice", algorithm.equals("leaky-bucket") ? 4 : 2);
        Decision.Allowed receipt = granted(limiter.peek("alice").allowed() ? limiter.tryAcquire("alice", 3) : other);
        long before = limiter.peek("alice").remaining();
        limiter.refund(receipt);
        long after = limiter.peek("alice").remaining();
        limiter.refund(receipt);
        limiter.refund(other);
        assertThat(after - before).isEqualTo(algorithm.equals("leaky-bucket") ? 0 : 3);
        assertThat(limiter.peek("alice")).hasRemaining(after);
        assertThat(receipt.subject()).isEqualTo("alice");
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void takesBackNothingAfterAReset(String algorithm) {
        RateLimiter limiter = limiter("9/day", algorithm);
        Decision.Allowed receipt = granted(limiter.tryAcquire("alice", 4));
        limiter.reset("alice");
        time().advance(Duration.of(1, ChronoUnit.MICROS));
        limiter.tryAcquire("alice", 4);
        long before = limiter.peek("alice").remaining();
        limiter.refund(receipt);
        assertThat(limiter.peek("alice")).hasRemaining(before);
    }

    /** A grant reports the limits as of its own time, whenever it is read and whatever has happened since. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void letsAGrantTellTheSameLater(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("7/min", algorithm);
        Decision.Allowed asked = granted(limiter.tryAcquire("alice", 2));
        List<Standing> told = asked.standings();
        Duration reset = asked.resetAfter();
        Decision.Allowed later = granted(limiter.tryAcquire("bob", 2));

        time().advance(Duration.ofSeconds(20));
        limiter.refund(granted(limiter.tryAcquire("bob")));
        limiter("9/min", algorithm).tryAcquire("bob");
        limiter.refund(later);
        limiter.reset("bob");
        limiter.tryAcquire("bob");
        time().advance(Duration.ofMinutes(5));
        limiter.tryAcquire("bob");

        assertThat(later.standings()).isEqualTo(told);
        assertThat(later.resetAfter()).isEqualTo(reset);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void answersTheSameWithoutHoldingAThread(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        Decision taken = limiter.tryAcquireAsync("alice", 5).join();
        assertThat(taken).isAllowed().hasRemaining(0);
        assertThat(limiter.tryAcquireAsync("alice").join()).isDenied();
        assertThat(limiter.peekAsync("alice", 6).join()).isImpossible();
        limiter.resetAsync("alice").join();
        assertThat(limiter.peekAsync("alice", 1).join()).isAllowed().hasRemaining(5);
        if (refunds(algorithm)) {
            limiter.refundAsync(granted(limiter.tryAcquireAsync("alice", 5).join()))
                    .join();
            assertThat(limiter.peek("alice")).hasRemaining(5);
        }
    }

    @Test
    public void rejectsAPlanItCannotKeep() {
        List<Limit> bad = List.of(
                Limit.parse("5/min").using("no-such-algorithm"),
                Limit.parse("5/min burst 7").using("fixed-window"),
                Limit.parse("5/min burst 7").using("leaky-bucket"),
                Limit.parse("100000/min").using("sliding-window-log"),
                Limit.parse("5 per calendar-day Europe/Berlin").using("token-bucket"));
        for (Limit limit : bad) {
            assertThatThrownBy(() -> limiter("bad", limit))
                    .as("%s", limit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(limit.algorithm());
        }
    }
}
