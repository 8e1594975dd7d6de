package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Standing;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** What is remembered of a denial, for how long, and how it is told again. */
class DenialsTest extends DenialsFixture {

    @Test
    void repeatsADenialWithoutACallUntilRetryAfterHasPassed() {
        spendAll();
        assertThat(retryAfter(take(1))).isEqualTo(100_000);
        redis.advanceMicros(40_000);
        assertThat(retryAfter(take(1))).isEqualTo(60_000);
        assertThat(take(1).resetAfter()).isEqualTo(Duration.ofMillis(960));
        redis.advanceMicros(59_999);
        assertThat(retryAfter(take(1))).isEqualTo(1);
        assertThat(calls()).isZero();

        redis.advanceMicros(1);
        assertThat(take(1).allowed()).isTrue();
        assertThat(calls()).isOne();
    }

    /** Redis counts whole microseconds: what it denied in the last nanosecond of one it allows a little earlier. */
    @Test
    void endsEarlyByTheFractionOfAMicrosecondThatRedisDoesNotSee() {
        redis.advanceNanos(999 - redis.nanos() % 1_000);
        spendAll();
        redis.advanceNanos(99_999_001);
        assertThat(redis.apply(KEY, PLAN, Operation.PEEK).allowed()).isTrue();
        assertThat(take(1).allowed()).isTrue();
    }

    @Test
    void forgetsAfterTheCap() {
        Plan slow = Plan.parse("1/h");
        check(slow, Operation.ONE);
        check(slow, Operation.ONE);
        redis.advanceNanos(CAP.toNanos() - 1);
        check(slow, Operation.ONE);
        assertThat(calls()).isEqualTo(2);
        redis.advanceNanos(1);
        Decision again = check(slow, Operation.ONE);
        assertThat(calls()).isEqualTo(3);
        assertThat(retryAfter(again)).isEqualTo(3_600_000_000L - 1_000_000);
    }

    @Test
    void countsFromTheTimeOfSendingAndNamesAWaitThatIsLongEnough() {
        take(10);
        redis.holds = true;
        CompletableFuture<Decision> answer = ledger.applyAsync(KEY.subject(), Operation.ONE);
        redis.advanceMicros(30_000);
        redis.carryOut(); // a permit returns 70 ms from here
        redis.advanceMicros(5_000);
        redis.answer();
        assertThat(retryAfter(answer.join())).isEqualTo(70_000);
        redis.holds = false;

        redis.advanceMicros(34_999);
        assertThat(retryAfter(take(1))).isEqualTo(35_001); // in truth 30,001 us
        assertThat(calls()).isEqualTo(2);
        redis.advanceMicros(1); // 70 ms after sending
        assertThat(retryAfter(take(1))).isEqualTo(30_000);
        assertThat(calls()).isEqualTo(3);
    }

    @Test
    void anAnswerThatTookLongerThanItsWaitIsNotRemembered() {
        take(10);
        redis.holds = true;
        CompletableFuture<Decision> answer = ledger.applyAsync(KEY.subject(), Operation.ONE);
        redis.carryOut();
        redis.advanceMicros(100_000);
        redis.answer();
        redis.holds = false;
        assertThat(answer.join().allowed()).isFalse();
        assertThat(take(1).allowed()).isTrue();
    }

    @Test
    void asksForSmallerCosts() {
        take(7);
        assertThat(take(5).allowed()).isFalse();
        assertThat(take(4).allowed()).isFalse();
        assertThat(take(3).allowed()).isTrue();
    }

    @Test
    void tellsLargerCostsTheirOwnWait() {
        spendAll();
        assertThat(retryAfter(take(3))).isEqualTo(300_000);
        assertThat(calls()).isOne();
        redis.advanceMicros(10_000);
        assertThat(retryAfter(take(3))).isEqualTo(290_000);
        assertThat(retryAfter(take(1))).isEqualTo(90_000);
        assertThat(calls()).isOne();
    }

    @Test
    void aGrantOfASmallerCostMakesLargerOnesAskAgain() {
        take(7);
        assertThat(retryAfter(take(5))).isEqualTo(200_000);
        assertThat(take(2).allowed()).isTrue();
        assertThat(retryAfter(take(5))).isEqualTo(400_000);
    }

    /** Whoever varies the cost gets no calls out of it either, but only a lower bound of the wait. */
    @Test
    void denyingAFewCostsDeniesAllThatAreLarger() {
        spendAll();
        for (long cost = 2; cost <= 10; cost++) {
            assertThat(take(cost).allowed()).isFalse();
        }
        assertThat(calls()).isEqualTo(KeyDenials.COSTS - 1);
        assertThat(retryAfter(take(9))).isEqualTo(100_000 * KeyDenials.COSTS);
    }

    @Test
    void smallerCostsTakeThePlaceOfLarger() {
        take(10);
        for (long cost : new long[] {9, 8, 7, 6, 1}) {
            take(cost);
        }
        redis.calls.clear();
        assertThat(retryAfter(take(1))).isEqualTo(100_000);
        assertThat(retryAfter(take(8))).isEqualTo(800_000);
        assertThat(retryAfter(take(9))).isEqualTo(800_000);
        assertThat(calls()).isZero();
    }

    /** Known bug C4: an impossible cost is never told to try again. */
    @Test
    void asksForWhatIsImpossible() {
        spendAll();
        take(2);
        take(3);
        take(4);
        assertThat(take(11)).isInstanceOf(Decision.Impossible.class);
        assertThat(take(11)).isInstanceOf(Decision.Impossible.class);
        assertThat(calls()).isEqualTo(5);
    }

    @Test
    void asksForWhoeverCanWaitAndForThoseWhoOnlyAsk() {
        spendAll();
        Decision reserved = check(PLAN, new Operation.Take(1, 200_000));
        assertThat(reserved.allowed()).isTrue();
        assertThat(check(PLAN, Operation.PEEK).allowed()).isFalse();
        assertThat(calls()).isEqualTo(2);
        assertThat(ledger.known(KEY.subject(), new Operation.Take(1, 200_000))).isNull();
        assertThat(ledger.known(KEY.subject(), Operation.PEEK)).isNull();
        assertThat(ledger.known(KEY.subject(), Operation.RESET)).isNull();
    }

    @Test
    void recallsWithoutAFuture() {
        assertThat(ledger.known(KEY.subject(), Operation.ONE)).isNull();
        spendAll();
        assertThat(ledger.known(KEY.subject(), Operation.ONE)).isEqualTo(take(1));
        assertThat(calls()).isZero();
    }

    @Test
    void keysArePlacesOfTheirOwn() {
        spendAll();
        assertThat(check(ledger, "bob", Operation.ONE).allowed()).isTrue();
        assertThat(check(ledger("x", PLAN), "alice", Operation.ONE).allowed()).isTrue();
    }

    @Test
    void agesEveryLimitOfAPlan() {
        Plan both = Plan.parse("2/s", "100/min");
        check(both, new Operation.Take(2, 0));
        Decision first = check(both, Operation.ONE);
        redis.advanceMicros(100_000);
        redis.calls.clear();
        Decision later = check(both, Operation.ONE);
        assertThat(calls()).isZero();
        assertThat(later).isEqualTo(redis.apply(KEY, both, Operation.ONE));
        assertThat(first.standings().stream().map(Standing::retryAfterMicros)).containsExactly(500_000L, 0L);
        assertThat(later.standings().stream().map(Standing::retryAfterMicros)).containsExactly(400_000L, 0L);
    }

    /** What remains is what remained then, so there will be more: nobody is told that nothing is missing. */
    @Test
    void expectsMoreAsLongAsSomethingIsMissing() {
        Plan both = Plan.parse("5/min", "10/s");
        check(both, new Operation.Take(5, 0));
        check(both, Operation.ONE);
        redis.advanceMicros(150_000);
        redis.calls.clear();
        Standing second = check(both, Operation.ONE).standings().get(1);
        assertThat(calls()).isZero();
        assertThat(second.remaining()).isEqualTo(5);
        assertThat(second.moreAfterMicros()).isEqualTo(1);
    }

    @Test
    void failuresAndGrantsAreNotRemembered() {
        redis.holds = true;
        CompletableFuture<Decision> failed = ledger.applyAsync(KEY.subject(), Operation.ONE);
        redis.fail("lost");
        assertThatThrownBy(failed::join).hasMessageContaining("lost");
        redis.holds = false;
        assertThat(take(1).allowed()).isTrue();
        assertThat(take(1).allowed()).isTrue();
        assertThat(calls()).isEqualTo(3);
    }

    /** Known bug A5: cancelling reaches the ledger behind. */
    @Test
    void handsOutTheFutureOfTheNextLedger() {
        redis.holds = true;
        Coalescer coalescer = new Coalescer(System::nanoTime, Duration.ofHours(1));
        Ledger over = denials.over(KEY.scope(), PLAN, coalescer.over(KEY.scope(), redis.of(PLAN)));
        over.applyAsync(KEY.subject(), Operation.ONE);
        over.applyAsync(KEY.subject(), new Operation.Take(9, 0)).cancel(false);
        redis.settle();
        assertThat(redis.calls).hasSize(1);
    }

    /** Known bug H7: a flood of denied keys makes the memory forget, never grow or lie. */
    @Test
    void staysBoundedAndRightUnderAFloodOfDeniedKeys() {
        Ledger one = ledger("flood", Plan.parse("1/s"));
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 10_000; i++) {
                if (check(one, "k" + i, Operation.ONE).allowed() != (round == 0)) {
                    throw new AssertionError("k" + i + " in round " + round);
                }
            }
        }
        assertThat(denials.remembered()).isLessThanOrEqualTo(1_024);
        redis.advanceMicros(1_000_000);
        assertThat(denials.remembered()).isZero();
    }

    @Test
    void remembersAsManyKeysAsItWasAskedTo() {
        Ledger one = ledger("flood", Plan.parse("1/s"));
        for (int i = 0; i < 1_000; i++) {
            check(one, "k" + i, Operation.ONE);
            check(one, "k" + i, Operation.ONE);
        }
        assertThat(denials.remembered()).isGreaterThan(600);
    }

    @Test
    void rejectsSettingsItCannotKeep() {
        assertThatThrownBy(() -> new Denials(redis::nanos, Duration.ofMillis(-1), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PT-0.001S");
        assertThatThrownBy(() -> new Denials(redis::nanos, CAP, 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not PT1S and 0");
    }
}
