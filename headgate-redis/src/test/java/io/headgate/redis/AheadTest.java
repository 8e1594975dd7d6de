package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which permits are taken before they are asked for, who gets them, and what becomes of the others. */
@Timeout(60)
class AheadTest {

    private static final Plan PLAN = window("10000/h");

    private final AheadFixture fixture = new AheadFixture();
    private final FakeRedis redis = fixture.redis;
    private final Ahead ahead = fixture.ahead;

    private static Plan window(String limit) {
        return Plan.of(Limit.parse(limit).using("fixed-window"));
    }

    /** Whatever a test has done, a key that nobody asks for leaves nothing behind. */
    @AfterEach
    void nothingIsLeftWhenIdle() {
        redis.settle();
        fixture.advance(AheadFixture.LASTS.multipliedBy(20));
        redis.settle();
        assertThat(ahead.stocks()).isZero();
        assertThat(fixture.alarms()).isZero();
    }

    private int calls() {
        return redis.calls.size();
    }

    @Test
    void leavesKeysAloneThatAreAskedForSeldom() {
        for (int i = 0; i < 10 * Ahead.BUSY; i++) {
            fixture.take(PLAN).join();
            fixture.advance(AheadFixture.LASTS.dividedBy(Ahead.BUSY - 2));
        }
        assertThat(redis.calls).hasSize(10 * Ahead.BUSY).allMatch(List.of(Operation.ONE)::equals);
    }

    @Test
    void answersForABusyKeyAtOnce() {
        fixture.makeBusy(PLAN);
        assertThat(redis.calls.get(Ahead.BUSY)).hasSize(Stock.LEAST).containsOnly(Operation.ONE);
        redis.holds = true;
        for (int i = 1; i <= Stock.LEAST; i++) {
            Decision decision = fixture.take(PLAN).join();
            assertThat(decision.remaining()).isEqualTo(10_000 - Ahead.BUSY - i);
        }
        assertThat(fixture.take(PLAN)).isNotDone();
    }

    @Test
    void asksForMoreWhenHalfIsGoneAndForTwiceAsManyIfThatIsSoon() {
        fixture.makeBusy(PLAN);
        int before = calls();
        for (int i = 0; i < Stock.LEAST / 2 - 1; i++) {
            fixture.take(PLAN).join();
        }
        assertThat(calls()).isEqualTo(before);
        fixture.take(PLAN).join();
        assertThat(redis.calls.get(before)).hasSize(2 * Stock.LEAST - Stock.LEAST / 2);

        fixture.advance(AheadFixture.LASTS.dividedBy(4));
        for (int i = 0; i < Stock.LEAST; i++) {
            fixture.take(PLAN).join();
        }
        assertThat(redis.calls.get(before + 1)).hasSize(Stock.LEAST);
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
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY + Stock.LEAST);
        fixture.advance(AheadFixture.LASTS.minusNanos(1));
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY + Stock.LEAST);
        fixture.advanceNanos(1);
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY + 1);
        assertThat(ahead.stocks()).isZero();
    }

    /** An alarm may ring late, and what is good no more must not be used meanwhile. */
    @Test
    void usesNothingThatIsGoodNoMore() {
        fixture.makeBusy(PLAN);
        redis.advanceNanos(AheadFixture.LASTS.toNanos() - 1);
        int before = calls();
        fixture.take(PLAN).join();
        assertThat(calls()).isEqualTo(before);
        redis.advanceNanos(1);
        redis.holds = true;
        assertThat(fixture.take(PLAN)).isNotDone();
        redis.settle();
        fixture.advance(AheadFixture.LASTS);
        redis.settle();
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY + 2);
    }

    /** The time counts from when the call was sent: Redis may have charged at once, and answered slowly. */
    @Test
    void whatComesTooLateIsGivenBackAndTakingAheadRests() {
        redis.holds = true;
        for (int i = 0; i < Ahead.BUSY; i++) {
            fixture.take(PLAN);
            redis.land();
        }
        redis.carryOut();
        fixture.advance(AheadFixture.LASTS);
        redis.answer();
        redis.settle();
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY);

        redis.holds = false;
        redis.calls.clear();
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).hasSize(Ahead.BUSY).allMatch(List.of(Operation.ONE)::equals);
        fixture.advance(AheadFixture.LASTS);
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).isNotEmpty();
    }

    @Test
    void holdsNoMoreThanAnEighthOfWhatRemains() {
        Plan small = window("100/h");
        fixture.makeBusy(small);
        long admitted = Ahead.BUSY;
        long most = 0;
        while (fixture.take(small).join().allowed()) {
            admitted++;
            most = Math.max(most, fixture.spent(small) - admitted);
        }
        assertThat(admitted).isEqualTo(100);
        assertThat(most).isBetween(1L, 92L / Stock.SHARE);
        assertThat(redis.calls.get(calls() - 1)).containsExactly(Operation.ONE);
    }

    @Test
    void leavesBudgetsAloneOfWhichLittleRemains() {
        fixture.makeBusy(window("70/h"));
        assertThat(redis.calls).hasSize(Ahead.BUSY);
    }

    @Test
    void leavesLimitsAloneWhoseWindowsAreShort() {
        fixture.makeBusy(window("10000/99ms"));
        assertThat(redis.calls).hasSize(Ahead.BUSY);
        fixture.advance(Duration.ofSeconds(1));
        fixture.makeBusy(window("10000/100ms"));
        assertThat(redis.calls).hasSize(2 * Ahead.BUSY + 1);
    }

    @Test
    void aResetEndsWhatWasTakenBefore() {
        fixture.makeBusy(PLAN);
        redis.advanceNanos(1_000);
        ahead.apply(AheadFixture.KEY, PLAN, Operation.RESET).join();
        redis.calls.clear();
        assertThat(fixture.take(PLAN).join().remaining()).isEqualTo(9_999);
        assertThat(redis.calls).startsWith(List.of(Operation.ONE));
    }

    @Test
    void whatArrivesAfterAResetIsNotUsed() {
        fixture.makeBusy(PLAN);
        redis.holds = true;
        for (int i = 0; i < Stock.LEAST; i++) {
            fixture.take(PLAN);
        }
        assertThat(redis.sent).hasSize(1); // more of it is on its way
        redis.carryOut();
        ahead.apply(AheadFixture.KEY, PLAN, Operation.RESET);
        redis.carryOut();
        redis.answer();
        redis.settle();
        assertThat(fixture.spent(PLAN)).isZero();
        CompletableFuture<Decision> next = fixture.take(PLAN);
        assertThat(next).isNotDone();
    }

    /** CATALOGUE A11: nobody is granted under yesterday's numbers what today's refuse. */
    @Test
    void anotherPlanEndsWhatWasTakenUnderThis() {
        Plan other = window("9/h");
        fixture.makeBusy(PLAN);
        assertThat(fixture.take(other).join().remaining()).isZero();
        assertThat(fixture.take(other).join().allowed()).isFalse();
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY + 1);
    }

    @Test
    void onlySinglePermitsThatCannotWaitAreTakenFromTheStock() {
        fixture.makeBusy(PLAN);
        int before = calls();
        List<Operation> others = List.of(new Operation.Take(2, 0), new Operation.Take(1, 1), Operation.PEEK);
        for (Operation each : others) {
            ahead.apply(AheadFixture.KEY, PLAN, each).join();
        }
        assertThat(redis.calls.subList(before, calls()))
                .isEqualTo(others.stream().map(List::of).toList());
        ahead.apply(new Key("api", "somebody"), PLAN, Operation.ONE).join();
        assertThat(calls()).isEqualTo(before + 4);
    }

    @Test
    void aGrantFromTheStockCanBeGivenBack() {
        fixture.makeBusy(PLAN);
        Decision.Allowed granted = (Decision.Allowed) fixture.take(PLAN).join();
        ahead.apply(AheadFixture.KEY, PLAN, new Operation.Refund(granted)).join();
        fixture.advance(AheadFixture.LASTS);
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY);
    }

    @Test
    void whenRedisFailsWhatIsThereIsUsedAndNoMoreIsAskedFor() {
        fixture.makeBusy(PLAN);
        redis.holds = true;
        for (int i = 0; i < Stock.LEAST / 2; i++) {
            fixture.take(PLAN).join();
        }
        redis.fail("Redis is gone");
        for (int i = 0; i < Stock.LEAST / 2; i++) {
            assertThat(fixture.take(PLAN)).isDone();
        }
        assertThat(redis.sent).isEmpty();
        assertThat(fixture.take(PLAN)).isNotDone();
        assertThat(redis.sent).hasSize(1);
    }

    @Test
    void aRestIsAsLongAsPromised() {
        fixture.makeBusy(PLAN);
        redis.holds = true;
        for (int i = 0; i < Stock.LEAST / 2; i++) {
            fixture.take(PLAN).join();
        }
        redis.fail("Redis is gone");
        redis.holds = false;
        redis.calls.clear();
        fixture.advance(AheadFixture.LASTS.multipliedBy(Stock.REST - 1));
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).isEmpty();
        assertThat(fixture.alarms()).isOne();
        fixture.advance(AheadFixture.LASTS);
        fixture.makeBusy(PLAN);
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).hasSize(1);
    }

    @Test
    void aRefusalWhileFillingIsARest() {
        Plan small = window("80/h");
        fixture.makeBusy(small);
        redis.apply(AheadFixture.KEY, small, new Operation.Take(80 - Ahead.BUSY - Stock.LEAST - 2, 0));
        for (int i = 0; i < Stock.LEAST / 2; i++) {
            fixture.take(small).join();
        }
        redis.apply(AheadFixture.KEY, small, Operation.RESET);
        redis.calls.clear();
        for (int i = 0; i < 3 * Stock.LEAST; i++) {
            fixture.take(small).join();
        }
        assertThat(redis.calls).filteredOn(call -> call.size() > 1).isEmpty();
    }

    /** One that is computed here takes a call for each permit, so there is nothing to be gained. */
    @Test
    void leavesPlansAloneThatAreNotOneCall() {
        Backend slow = new Backend() {
            @Override
            public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
                return redis.run(key, plan, operations);
            }

            @Override
            public boolean isOneCall(Plan plan) {
                return false;
            }
        };
        Ahead alone = new Ahead(Lane.of(slow), slow, redis::nanos, (nanos, then) -> then.run(), AheadFixture.LASTS);
        for (int i = 0; i < 2 * Ahead.BUSY; i++) {
            alone.apply(AheadFixture.KEY, PLAN, Operation.ONE).join();
        }
        assertThat(redis.calls).hasSize(2 * Ahead.BUSY);
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

    /** CATALOGUE A11: what is given back under yesterday's numbers would shorten the life of what was spent under today's. */
    @ParameterizedTest
    @ValueSource(
            strings = {"fixed-window", "token-bucket", "sliding-window-log", "sliding-window", "sliding-window-counter"
            })
    void givesBackUnderTheNumbersInForce(String algorithm) {
        Plan old = Plan.of(Limit.parse("1000/s").using(algorithm));
        Plan inForce = Plan.of(Limit.parse("1000/h").using(algorithm));
        fixture.makeBusy(old);
        redis.holds = true;
        for (int i = 0; i < Stock.LEAST / 2; i++) {
            fixture.take(old).join();
        }
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
    void aResetThatStandsInLineEndsWhatWasTakenBefore() {
        Ahead behind = new Ahead(new Coalescer(redis), redis, redis::nanos, fixture::after, AheadFixture.LASTS);
        redis.holds = true;
        for (int i = 0; i < 1 + 2 * Coalescer.MOST; i++) {
            behind.apply(AheadFixture.KEY, PLAN, Operation.ONE);
        }
        CompletableFuture<Decision> reset = behind.apply(AheadFixture.KEY, PLAN, Operation.RESET);
        while (!reset.isDone()) {
            redis.advanceNanos(10_000);
            redis.land();
        }
        redis.settle();
        redis.holds = false;
        assertThat(reset.join().remaining()).isEqualTo(10_000);
        long admitted = Stream.generate(() ->
                        behind.apply(AheadFixture.KEY, PLAN, Operation.ONE).join())
                .takeWhile(Decision::allowed)
                .count();
        assertThat(admitted).isEqualTo(10_000);
    }

    @Test
    void aResetThatIsSentAfterAFillingEndsIt() {
        AtomicReference<Lane> whole = new AtomicReference<>();
        Lane slow = (key, plan, operation) -> {
            if (operation instanceof Operation.Reset) {
                for (int i = 0; i < Ahead.BUSY; i++) {
                    whole.get().apply(key, plan, Operation.ONE).join(); // another thread, meanwhile
                }
                redis.advanceNanos(10_000);
            }
            return Lane.of(redis).apply(key, plan, operation);
        };
        whole.set(new Ahead(slow, redis, redis::nanos, fixture::after, AheadFixture.LASTS));
        whole.get().apply(AheadFixture.KEY, PLAN, Operation.RESET).join();
        redis.advanceNanos(10_000);
        assertThat(whole.get()
                        .apply(AheadFixture.KEY, PLAN, Operation.ONE)
                        .join()
                        .remaining())
                .isEqualTo(9_999);
    }

    /** An answer after 6 ms, a request 5 ms later, and no alarm has rung. */
    @Test
    void theTimeCountsFromWhenTheCallWasSent() {
        redis.holds = true;
        for (int i = 0; i < Ahead.BUSY; i++) {
            fixture.take(PLAN);
            redis.land();
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
        long admitted = Stream.generate(() -> fixture.take(plan).join())
                .takeWhile(Decision::allowed)
                .count();
        assertThat(admitted).isEqualTo(1_000);
    }

    /** What was given back must not be refused for as long as a denial is remembered. */
    @Test
    void aProcessIsNotRefusedWhatItHasGivenBackItself() {
        Denials denials = new Denials(Lane.of(redis), redis::nanos, Denials.DEFAULT_CAP, 64);
        Ahead before = new Ahead(denials, redis, redis::nanos, fixture::after, AheadFixture.LASTS);
        for (int i = 0; i < Ahead.BUSY; i++) {
            before.apply(AheadFixture.KEY, PLAN, Operation.ONE).join();
        }
        redis.apply(AheadFixture.KEY, PLAN, new Operation.Take(10_000 - fixture.spent(PLAN), 0));
        assertThat(before.apply(AheadFixture.KEY, PLAN, new Operation.Take(2, 0))
                        .join()
                        .allowed())
                .isFalse();
        fixture.advance(AheadFixture.LASTS);
        assertThat(before.apply(AheadFixture.KEY, PLAN, new Operation.Take(2, 0))
                        .join()
                        .allowed())
                .isTrue();
    }

    @Test
    void hearsFromOthersOfItsProcessHowMuchRemains() {
        for (int i = 0; i < 500; i++) {
            fixture.take(PLAN).join();
        }
        ahead.apply(AheadFixture.KEY, PLAN, new Operation.Take(9_000, 0)).join();
        redis.calls.clear();
        for (int i = 0; i < 300; i++) {
            fixture.take(PLAN).join();
        }
        assertThat(redis.calls).allMatch(call -> call.size() <= 1_000 / Stock.SHARE);
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
        long admitted = 0;
        while (fixture.take(plan).join().allowed()) {
            admitted++;
            fixture.advanceNanos(10_000);
        }
        assertThat(admitted).isEqualTo(2_000);
        assertThat(calls()).isLessThan(250);
    }

    @Test
    void aFloodOfKeysLeavesEachAlone() {
        Ahead longer = new Ahead(Lane.of(redis), redis, redis::nanos, fixture::after, Duration.ofSeconds(1));
        for (int i = 0; i < 60_000; i++) {
            longer.apply(new Key("api", "10.0." + i / 250 + "." + i % 250), PLAN, Operation.ONE)
                    .join();
            redis.advanceNanos(15_000);
        }
        assertThat(redis.calls).hasSize(60_000);
    }

    @Test
    void givesEverythingBackWhenClosed() {
        fixture.makeBusy(PLAN);
        assertThat(ahead.close()).isDone();
        assertThat(fixture.spent(PLAN)).isEqualTo(Ahead.BUSY);
    }
}
