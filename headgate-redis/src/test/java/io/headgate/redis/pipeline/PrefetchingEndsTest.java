package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What ends the use of prefetched permits: resets, other plans, failures, time; and that they are given back. */
@Timeout(60)
class PrefetchingEndsTest extends PrefetchingCase {

    private static final Key KEY = PrefetchingFixture.KEY;

    /** Permits of which half are used, with a filling on its way. */
    private void fillAgain(Plan plan) {
        fixture.makeBusy(plan);
        redis.holds = true;
        for (int i = 0; i < PrefetchedPermits.LEAST / 2; i++) {
            fixture.take(plan).join();
        }
    }

    /** The time counts from when the call was sent: Redis may have charged at once, and answered slowly. */
    @Test
    void whatComesTooLateIsGivenBackAndPrefetchingPauses() {
        redis.holds = true;
        for (int i = 0; i < Prefetching.BUSY; i++) {
            fixture.take(PLAN);
            redis.carryOutAndAnswer();
        }
        redis.carryOut();
        fixture.advance(PrefetchingFixture.LASTS);
        redis.answer();
        redis.settle();
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY);

        redis.holds = false;
        redis.calls.clear();
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).hasSize(Prefetching.BUSY).allMatch(List.of(Operation.ONE)::equals);
        fixture.advance(PrefetchingFixture.LASTS);
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).isNotEmpty();
    }

    @Test
    void aResetEndsWhatWasTakenBefore() {
        fixture.makeBusy(PLAN);
        redis.advanceNanos(1_000);
        fixture.apply(PLAN, Operation.RESET).join();
        redis.calls.clear();
        assertThat(fixture.take(PLAN).join().remaining()).isEqualTo(9_999);
        assertThat(redis.calls).startsWith(List.of(Operation.ONE));
    }

    @Test
    void whatArrivesAfterAResetIsNotUsed() {
        fixture.makeBusy(PLAN);
        redis.holds = true;
        for (int i = 0; i < PrefetchedPermits.LEAST; i++) {
            fixture.take(PLAN);
        }
        assertThat(redis.sent).hasSize(1); // more of it is on its way
        redis.carryOut();
        fixture.apply(PLAN, Operation.RESET);
        redis.carryOut();
        redis.answer();
        redis.settle();
        assertThat(fixture.spent(PLAN)).isZero();
        CompletableFuture<Decision> next = fixture.take(PLAN);
        assertThat(next).isNotDone();
    }

    /** Known bug A11: nobody is granted under yesterday's numbers what today's deny. */
    @Test
    void anotherPlanEndsWhatWasTakenUnderThis() {
        Plan other = window("9/h");
        fixture.makeBusy(PLAN);
        assertThat(fixture.take(other).join().remaining()).isZero();
        assertThat(fixture.take(other).join().allowed()).isFalse();
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY + 1);
    }

    @Test
    void whenRedisFailsWhatIsThereIsUsedAndNoMoreIsAskedFor() {
        fillAgain(PLAN);
        redis.fail("Redis is gone");
        for (int i = 0; i < PrefetchedPermits.LEAST / 2; i++) {
            assertThat(fixture.take(PLAN)).isDone();
        }
        assertThat(redis.sent).isEmpty();
        assertThat(fixture.take(PLAN)).isNotDone();
        assertThat(redis.sent).hasSize(1);
    }

    @Test
    void aPauseIsAsLongAsPromised() {
        fillAgain(PLAN);
        redis.fail("Redis is gone");
        redis.holds = false;
        redis.calls.clear();
        fixture.advance(PrefetchingFixture.LASTS.multipliedBy(PrefetchedPermits.PAUSE - 1));
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).isEmpty();
        assertThat(fixture.alarms()).isOne();
        fixture.advance(PrefetchingFixture.LASTS);
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).hasSize(1);
    }

    @Test
    void aDenialWhileFillingIsFollowedByAPause() {
        Plan small = window("80/h");
        fixture.makeBusy(small);
        redis.apply(KEY, small, new Operation.Take(80 - Prefetching.BUSY - PrefetchedPermits.LEAST - 2, 0));
        for (int i = 0; i < PrefetchedPermits.LEAST / 2; i++) {
            fixture.take(small).join();
        }
        redis.apply(KEY, small, Operation.RESET);
        redis.calls.clear();
        for (int i = 0; i < 3 * PrefetchedPermits.LEAST; i++) {
            fixture.take(small).join();
        }
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).isEmpty();
    }

    /** As while rules change on one instance after the other. */
    @Test
    void plansInTurnDoNotBeginOverAndOver() {
        Plan other = window("20000/h");
        for (int i = 0; i < 200; i++) {
            fixture.take(i % 2 == 0 ? PLAN : other).join();
            fixture.advanceNanos(10_000);
        }
        assertThat(redis.calls.stream().mapToLong(List::size).sum()).isLessThan(250);
    }

    /** Known bug A11: what is given back under yesterday's numbers would shorten the life of what was spent under today's. */
    @ParameterizedTest
    @ValueSource(
            strings = {"fixed-window", "token-bucket", "sliding-window-log", "sliding-window", "sliding-window-counter"
            })
    void givesBackUnderTheNumbersInForce(String algorithm) {
        Plan old = Plan.of(Limit.parse("1000/s").using(algorithm));
        Plan inForce = Plan.of(Limit.parse("1000/h").using(algorithm));
        fillAgain(old);
        redis.carryOut(); // a filling, whose answer comes when the numbers have changed
        for (int i = 0; i < 900; i++) {
            CompletableFuture<Decision> answer = fixture.take(inForce);
            while (!answer.isDone()) {
                redis.carryOut();
                FakeRedis.Call last = redis.done.removeLast();
                last.answer.complete(last.decisions);
            }
            assertThat(answer.join().allowed()).isTrue();
        }
        redis.settle();
        fixture.advance(Duration.ofSeconds(5));
        redis.settle();
        assertThat(fixture.spent(inForce)).isGreaterThanOrEqualTo(900);
    }

    @Test
    void aResetThatWaitsForItsTurnEndsWhatWasTakenBefore() {
        PlanCalls calls = redis.of(PLAN);
        Coalescer coalescer = new Coalescer(System::nanoTime, Duration.ofHours(1));
        Ledger behind = prefetching.over(KEY.scope(), calls, coalescer.over(KEY.scope(), calls));
        redis.holds = true;
        for (int i = 0; i < 1 + 2 * Coalescer.MOST; i++) {
            behind.applyAsync(KEY.subject(), Operation.ONE);
        }
        CompletableFuture<Decision> reset = behind.applyAsync(KEY.subject(), Operation.RESET);
        while (!reset.isDone()) {
            redis.advanceNanos(10_000);
            redis.carryOutAndAnswer();
        }
        redis.settle();
        redis.holds = false;
        assertThat(reset.join().remaining()).isEqualTo(10_000);
        long allowed = Stream.generate(() -> behind.apply(KEY.subject(), Operation.ONE))
                .takeWhile(Decision::allowed)
                .count();
        assertThat(allowed).isEqualTo(10_000);
    }

    @Test
    void aResetThatIsSentAfterAFillingEndsIt() {
        AtomicReference<Ledger> whole = new AtomicReference<>();
        Ledger calls = redis.ledger(KEY.scope(), PLAN);
        AsyncLedger slow = (subject, operation) -> {
            if (operation instanceof Operation.Reset) {
                for (int i = 0; i < Prefetching.BUSY; i++) {
                    whole.get().apply(subject, Operation.ONE); // another thread, meanwhile
                }
                redis.advanceNanos(10_000);
            }
            return calls.applyAsync(subject, operation);
        };
        whole.set(prefetching.over(KEY.scope(), redis.of(PLAN), slow));
        whole.get().apply(KEY.subject(), Operation.RESET);
        redis.advanceNanos(10_000);
        assertThat(whole.get().apply(KEY.subject(), Operation.ONE).remaining()).isEqualTo(9_999);
    }

    /** What was given back must not be denied for as long as a denial is remembered. */
    @Test
    void aProcessIsNotDeniedWhatItHasGivenBackItself() {
        Denials denials = new Denials(redis::nanos, Denials.DEFAULT_CAP, 64);
        Ledger remembering = denials.over(KEY.scope(), PLAN, redis.ledger(KEY.scope(), PLAN));
        Ledger ledger = prefetching.over(KEY.scope(), redis.of(PLAN), remembering);
        for (int i = 0; i < Prefetching.BUSY; i++) {
            ledger.apply(KEY.subject(), Operation.ONE);
        }
        redis.apply(KEY, PLAN, new Operation.Take(10_000 - fixture.spent(PLAN), 0));
        assertThat(ledger.apply(KEY.subject(), new Operation.Take(2, 0)).allowed())
                .isFalse();
        int calls = calls();
        assertThat(ledger.apply(KEY.subject(), new Operation.Take(2, 0)).allowed())
                .isFalse();
        assertThat(calls()).as("remembered").isEqualTo(calls);
        assertThat(ledger.apply(KEY.subject(), new Operation.Take(1, 1)).allowed())
                .isFalse();
        assertThat(ledger.known(KEY.subject(), Operation.ONE))
                .as("denied, but there are prefetched permits")
                .isNull();
        assertThat(ledger.apply(KEY.subject(), Operation.ONE).allowed()).isTrue();
        fixture.advance(PrefetchingFixture.LASTS);
        assertThat(ledger.known(KEY.subject(), new Operation.Take(2, 0))).isNull();
        assertThat(ledger.apply(KEY.subject(), new Operation.Take(2, 0)).allowed())
                .isTrue();
    }

    @Test
    void givesEverythingBackWhenClosed() {
        fixture.makeBusy(PLAN);
        assertThat(prefetching.close()).isDone();
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY);
    }
}
