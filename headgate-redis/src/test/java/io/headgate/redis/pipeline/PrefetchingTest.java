package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which permits are taken before they are asked for, and who gets them. */
@Timeout(60)
class PrefetchingTest extends PrefetchingCase {

    @Test
    void leavesKeysAloneThatAreAskedForSeldom() {
        for (int i = 0; i < 10 * Prefetching.BUSY; i++) {
            fixture.take(PLAN).join();
            fixture.advance(PrefetchingFixture.LASTS.dividedBy(Prefetching.BUSY - 2));
        }
        assertThat(redis.calls).hasSize(10 * Prefetching.BUSY).allMatch(List.of(Operation.ONE)::equals);
    }

    @Test
    void answersForABusyKeyAtOnce() {
        fixture.makeBusy(PLAN);
        assertThat(redis.calls.get(Prefetching.BUSY))
                .hasSize(PrefetchedPermits.LEAST)
                .containsOnly(Operation.ONE);
        redis.holds = true;
        for (int i = 1; i <= PrefetchedPermits.LEAST; i++) {
            Decision decision = fixture.take(PLAN).join();
            assertThat(decision.remaining()).isEqualTo(10_000 - Prefetching.BUSY - i);
        }
        assertThat(fixture.take(PLAN)).isNotDone();
    }

    @Test
    void asksForMoreWhenHalfIsGoneAndForTwiceAsManyIfThatIsSoon() {
        fixture.makeBusy(PLAN);
        int before = calls();
        for (int i = 0; i < PrefetchedPermits.LEAST / 2 - 1; i++) {
            fixture.take(PLAN).join();
        }
        assertThat(calls()).isEqualTo(before);
        fixture.take(PLAN).join();
        assertThat(redis.calls.get(before)).hasSize(2 * PrefetchedPermits.LEAST - PrefetchedPermits.LEAST / 2);

        fixture.advance(PrefetchingFixture.LASTS.dividedBy(4));
        for (int i = 0; i < PrefetchedPermits.LEAST; i++) {
            fixture.take(PLAN).join();
        }
        assertThat(redis.calls.get(before + 1)).hasSize(PrefetchedPermits.LEAST);
    }

    @Test
    void takesSoManyThatHardlyAnyCallIsLeft() {
        for (int i = 0; i < 5_000; i++) {
            fixture.take(PLAN).join();
            fixture.advanceNanos(10_000);
        }
        assertThat(calls()).isLessThan(5_000 / 20);
        assertThat(redis.calls).allMatch(call -> call.size() <= Coalescer.MOST);
    }

    @Test
    void givesBackWhatNobodyCameFor() {
        fixture.makeBusy(PLAN);
        fixture.take(PLAN).join();
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY + PrefetchedPermits.LEAST);
        fixture.advance(PrefetchingFixture.LASTS.minusNanos(1));
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY + PrefetchedPermits.LEAST);
        fixture.advanceNanos(1);
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY + 1);
        assertThat(prefetching.keys()).isZero();
    }

    /** An alarm may ring late, and what is good no more must not be used meanwhile. */
    @Test
    void usesNothingThatIsGoodNoMore() {
        fixture.makeBusy(PLAN);
        redis.advanceNanos(PrefetchingFixture.LASTS.toNanos() - 1);
        int before = calls();
        fixture.take(PLAN).join();
        assertThat(calls()).isEqualTo(before);
        redis.advanceNanos(1);
        redis.holds = true;
        assertThat(fixture.take(PLAN)).isNotDone();
        redis.settle();
        fixture.advance(PrefetchingFixture.LASTS);
        redis.settle();
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY + 2);
    }

    @Test
    void holdsNoMoreThanAnEighthOfWhatRemains() {
        Plan small = window("100/h");
        fixture.makeBusy(small);
        long allowed = Prefetching.BUSY;
        long most = 0;
        while (fixture.take(small).join().allowed()) {
            allowed++;
            most = Math.max(most, fixture.spent(small) - allowed);
        }
        assertThat(allowed).isEqualTo(100);
        assertThat(most).isBetween(1L, 92L / PrefetchedPermits.SHARE);
        assertThat(redis.calls.get(calls() - 1)).containsExactly(Operation.ONE);
    }

    @Test
    void leavesBudgetsAloneOfWhichLittleRemains() {
        fixture.makeBusy(window("70/h"));
        assertThat(redis.calls).hasSize(Prefetching.BUSY);
    }

    @Test
    void leavesLimitsAloneWhoseWindowsAreShort() {
        fixture.makeBusy(window("10000/99ms"));
        assertThat(redis.calls).hasSize(Prefetching.BUSY);
        fixture.advance(Duration.ofSeconds(1));
        fixture.makeBusy(window("10000/100ms"));
        assertThat(redis.calls).hasSize(2 * Prefetching.BUSY + 1);
    }

    @Test
    void onlySinglePermitsThatCannotWaitAreTakenFromTheStock() {
        fixture.makeBusy(PLAN);
        int before = calls();
        List<Operation> others = List.of(new Operation.Take(2, 0), new Operation.Take(1, 1), Operation.PEEK);
        for (Operation each : others) {
            fixture.apply(PLAN, each).join();
        }
        assertThat(redis.calls.subList(before, calls()))
                .isEqualTo(others.stream().map(List::of).toList());
        prefetching.over("api", redis.of(PLAN), redis.ledger("api", PLAN)).apply("somebody", Operation.ONE);
        assertThat(calls()).isEqualTo(before + 4);
    }

    @Test
    void aGrantFromTheStockCanBeGivenBack() {
        fixture.makeBusy(PLAN);
        Decision.Allowed granted = (Decision.Allowed) fixture.take(PLAN).join();
        fixture.apply(PLAN, new Operation.Refund(granted)).join();
        fixture.advance(PrefetchingFixture.LASTS);
        assertThat(fixture.spent(PLAN)).isEqualTo(Prefetching.BUSY);
    }

    /** One that is computed here takes a call for each permit, so there is nothing to be gained. */
    @Test
    void leavesPlansAloneThatAreNotOneCall() {
        TestCalls slow = new TestCalls() {
            @Override
            public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
                return redis.run(key, plan, operations);
            }

            @Override
            public boolean isOneCall(Plan plan) {
                return false;
            }
        };
        Ledger alone = prefetching.over("api", slow.of(PLAN), redis.ledger("api", PLAN));
        for (int i = 0; i < 2 * Prefetching.BUSY; i++) {
            alone.apply("everybody", Operation.ONE);
        }
        assertThat(redis.calls).hasSize(2 * Prefetching.BUSY);
    }

    /** An answer after 6 ms, a request 5 ms later, and no alarm has rung. */
    @Test
    void theTimeCountsFromWhenTheCallWasSent() {
        redis.holds = true;
        for (int i = 0; i < Prefetching.BUSY; i++) {
            fixture.take(PLAN);
            redis.carryOutAndAnswer();
        }
        redis.carryOut();
        fixture.advance(Duration.ofMillis(6));
        redis.answer();
        redis.advanceNanos(5_000_000);
        assertThat(fixture.take(PLAN)).isNotDone();
    }

    @Test
    void noPermitOfAnAlignedWindowIsUsedInTheNext() {
        Plan plan = window("1000/h");
        long hour = Duration.ofHours(1).toNanos();
        fixture.advanceNanos(hour - redis.nanos() % hour - 5_000_000);
        for (int i = 0; i < 100; i++) {
            fixture.take(plan).join();
        }
        redis.advanceNanos(hour - redis.nanos() % hour);
        long allowed = Stream.generate(() -> fixture.take(plan).join())
                .takeWhile(Decision::allowed)
                .count();
        assertThat(allowed).isEqualTo(1_000);
    }

    @Test
    void hearsFromOthersOfItsProcessHowMuchRemains() {
        for (int i = 0; i < 500; i++) {
            fixture.take(PLAN).join();
        }
        fixture.apply(PLAN, new Operation.Take(9_000, 0)).join();
        redis.calls.clear();
        for (int i = 0; i < 300; i++) {
            fixture.take(PLAN).join();
        }
        assertThat(redis.calls).allMatch(call -> call.size() <= 1_000 / PrefetchedPermits.SHARE);
    }

    @Test
    void leavesTheLastPermitsToWhoeverAsks() {
        Plan small = window("100/h");
        while (fixture.spent(small) < 60) {
            fixture.take(small).join();
        }
        redis.calls.clear();
        while (fixture.take(small).join().allowed()) {
            fixture.advanceNanos(10_000);
        }
        assertThat(redis.calls).allMatch(List.of(Operation.ONE)::equals);
    }

    @Test
    void isFilledWhenHalfIsGoneAlsoIfLittleRemains() {
        Plan plan = window("2000/h");
        long allowed = 0;
        while (fixture.take(plan).join().allowed()) {
            allowed++;
            fixture.advanceNanos(10_000);
        }
        assertThat(allowed).isEqualTo(2_000);
        assertThat(calls()).isLessThan(250);
    }

    @Test
    void aFloodOfKeysLeavesEachAlone() {
        Ledger longer = new Prefetching(redis::nanos, fixture::after, Duration.ofSeconds(1))
                .over("api", redis.of(PLAN), redis.ledger("api", PLAN));
        for (int i = 0; i < 60_000; i++) {
            longer.apply("10.0." + i / 250 + "." + i % 250, Operation.ONE);
            redis.advanceNanos(15_000);
        }
        assertThat(redis.calls).hasSize(60_000);
    }
}
