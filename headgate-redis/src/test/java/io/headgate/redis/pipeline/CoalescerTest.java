package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CoalescerTest {

    private static final Key KEY = new Key("login", "alice");
    private static final Plan PLAN = Plan.parse("100/min");

    private final FakeRedis redis = new FakeRedis();
    private final List<Runnable> alarms = new ArrayList<>();
    private final Coalescer coalescer =
            new Coalescer(redis::nanos, Duration.ofSeconds(1), (nanos, action) -> alarms.add(action));

    @BeforeEach
    void hold() {
        redis.holds = true;
    }

    @AfterEach
    void nothingIsLeftWhenIdle() {
        redis.settle();
        assertThat(coalescer.busyKeys()).isZero();
    }

    private CompletableFuture<Decision> apply(TestCalls calls, Key key, Plan plan, Operation operation) {
        return coalescer.over(key.scope(), calls.of(plan)).applyAsync(key.subject(), operation);
    }

    private CompletableFuture<Decision> apply(Plan plan, Operation operation) {
        return apply(redis, KEY, plan, operation);
    }

    private CompletableFuture<Decision> take(long cost) {
        return apply(PLAN, new Operation.Take(cost, 0));
    }

    private List<Long> costs(int call) {
        return redis.calls.get(call).stream()
                .map(operation -> ((Operation.Take) operation).cost())
                .toList();
    }

    @Test
    void goesOutAtOnceWhenAlone() {
        CompletableFuture<Decision> answer = take(1);
        assertThat(redis.calls).containsExactly(List.of(Operation.ONE));
        assertThat(answer).isNotDone();
        redis.carryOutAndAnswer();
        assertThat(answer.join().remaining()).isEqualTo(99);
        assertThat(coalescer.busyKeys()).isZero();

        take(1);
        assertThat(redis.calls).hasSize(2);
    }

    /** What is no call together goes one by one. */
    @Test
    void asksWhetherOperationsAreOneCall() {
        Plan slow = Plan.parse("7/min");
        TestCalls asking = new TestCalls() {
            @Override
            public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
                return redis.run(key, plan, operations);
            }

            @Override
            public boolean isOneCall(Plan plan) {
                return !plan.equals(slow);
            }
        };
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (Plan plan : List.of(PLAN, slow, slow, PLAN, PLAN)) {
            answers.add(apply(asking, KEY, plan, Operation.ONE));
        }
        redis.settle();

        assertThat(redis.calls.stream().map(List::size)).containsExactly(1, 1, 1, 2);
        assertThat(answers).allMatch(CompletableFuture::isDone);
    }

    @Test
    void sharesACallWhileAnotherIsUnderWay() {
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        for (long cost = 1; cost <= 5; cost++) {
            answers.add(take(cost));
        }
        assertThat(redis.calls).hasSize(1);

        redis.carryOutAndAnswer();
        assertThat(redis.calls).hasSize(2);
        assertThat(costs(1)).containsExactly(2L, 3L, 4L, 5L);
        assertThat(answers.get(0)).isDone();
        assertThat(answers.get(1)).isNotDone();

        redis.carryOutAndAnswer();
        assertThat(answers.stream().map(answer -> answer.join().remaining())).containsExactly(99L, 97L, 94L, 90L, 85L);
        assertThat(redis.calls).hasSize(2);
    }

    @Test
    void keepsTheOrderAcrossCalls() {
        for (long cost = 1; cost <= 3; cost++) {
            take(cost);
        }
        redis.carryOutAndAnswer();
        for (long cost = 4; cost <= 6; cost++) {
            take(cost);
        }
        redis.carryOutAndAnswer();
        redis.carryOutAndAnswer();
        assertThat(redis.calls).hasSize(3);
        assertThat(costs(2)).containsExactly(4L, 5L, 6L);
    }

    @Test
    void carriesAtMost64AndThoseLeftOverBeforeThoseWhoCameLater() {
        take(1);
        for (long cost = 1; cost <= 100; cost++) {
            take(cost);
        }
        redis.carryOutAndAnswer();
        assertThat(costs(1)).hasSize(64).startsWith(1L).endsWith(64L);
        take(101);
        redis.carryOutAndAnswer();
        assertThat(costs(2)).hasSize(37).startsWith(65L).endsWith(100L, 101L);
    }

    /** Otherwise a charge before it would look like one after it, and a refund of the one would take back the other. */
    @Test
    void nobodySharesACallBehindAReset() {
        apply(PLAN, Operation.PEEK);
        CompletableFuture<Decision> before = take(60);
        apply(PLAN, Operation.RESET);
        CompletableFuture<Decision> after = take(80);
        while (!redis.sent.isEmpty()) {
            redis.advanceMicros(1);
            redis.carryOutAndAnswer();
        }
        apply(PLAN, new Operation.Refund((Decision.Allowed) before.join()));
        redis.carryOutAndAnswer();

        assertThat(after.join().allowed()).isTrue();
        assertThat(redis.apply(KEY, PLAN, Operation.PEEK).remaining()).isEqualTo(20);
    }

    @Test
    void keysDoNotWaitForEachOther() {
        take(1);
        apply(redis, new Key("login", "bob"), PLAN, Operation.ONE);
        apply(redis, new Key("logout", "alice"), PLAN, Operation.ONE);
        assertThat(redis.calls).hasSize(3);
        assertThat(coalescer.busyKeys()).isEqualTo(3);
    }

    @Test
    void everyCallHasOnePlan() {
        Plan other = Plan.parse("50/min");
        take(1);
        apply(PLAN, Operation.ONE);
        apply(Plan.parse("100/min"), Operation.ONE); // the same by value
        apply(other, Operation.ONE);
        CompletableFuture<Decision> last = apply(PLAN, Operation.ONE);
        redis.settle();
        assertThat(redis.calls.stream().map(List::size)).containsExactly(1, 2, 1, 1);
        assertThat(last.join().remaining()).isEqualTo(95);
    }

    /** A reset is not overtaken by what was asked after it, nor does it overtake what was asked before. */
    @Test
    void resetsAndRefundsKeepTheirPlace() {
        Decision.Allowed receipt = (Decision.Allowed) redis.apply(KEY, PLAN, new Operation.Take(3, 0));
        CompletableFuture<Decision> first = take(1);
        CompletableFuture<Decision> second = take(50);
        CompletableFuture<Decision> refund = apply(PLAN, new Operation.Refund(receipt));
        CompletableFuture<Decision> peek = apply(PLAN, Operation.PEEK);
        CompletableFuture<Decision> reset = apply(PLAN, Operation.RESET);
        CompletableFuture<Decision> third = take(1);
        redis.settle();
        assertThat(first.join().remaining()).isEqualTo(96);
        assertThat(second.join().remaining()).isEqualTo(46);
        assertThat(refund.join().remaining()).isEqualTo(49);
        assertThat(peek.join().remaining()).isEqualTo(49);
        assertThat(reset.join().remaining()).isEqualTo(100);
        assertThat(third.join().remaining()).isEqualTo(99);
        assertThat(redis.calls).hasSize(3);
    }

    @Test
    void aFailureFailsAllOperationsOfTheCallAndNoOthers() {
        CompletableFuture<Decision> first = take(1);
        CompletableFuture<Decision> second = take(1);
        CompletableFuture<Decision> third = take(1);
        redis.carryOutAndAnswer();
        CompletableFuture<Decision> fourth = take(1);
        redis.fail("lost");
        assertThat(first.join().remaining()).isEqualTo(99);
        for (CompletableFuture<Decision> each : List.of(second, third)) {
            assertThatThrownBy(each::get)
                    .cause()
                    .isInstanceOf(StoreException.class)
                    .hasMessage("lost");
        }
        redis.carryOutAndAnswer();
        assertThat(fourth.join().remaining()).isEqualTo(98);
    }

    /** The failure of a dependent future comes wrapped; callers see what was wrapped. */
    @Test
    void tellsTheFailureItself() {
        TestCalls wrapped =
                (key, plan, operations) -> CompletableFuture.<List<Decision>>failedFuture(new StoreException("lost"))
                        .thenApply(all -> all);
        List<Throwable> told = new ArrayList<>();
        apply(wrapped, KEY, PLAN, Operation.ONE).whenComplete((decision, failure) -> told.add(failure));
        assertThat(told).singleElement().isInstanceOf(StoreException.class);
    }

    @Test
    void aCallThatThrowsOrMiscountsFailsTheCallAndLeavesNothing() {
        TestCalls throwing = (key, plan, operations) -> {
            throw new IllegalStateException("on purpose");
        };
        assertThatThrownBy(() -> apply(throwing, KEY, PLAN, Operation.ONE).join())
                .hasMessageContaining("on purpose");
        assertThat(coalescer.busyKeys()).isZero();

        TestCalls miscounting = (key, plan, operations) -> CompletableFuture.completedFuture(List.of());
        assertThatThrownBy(() -> apply(miscounting, KEY, PLAN, Operation.ONE).join())
                .hasMessageContaining("carried 1 operations on one key and brought back 0 answers");
        assertThat(coalescer.busyKeys()).isZero();
    }

    /** The time in the queue is part of the time that Redis has: who has waited for all of it fails, and is not charged. */
    @Test
    void whoHasWaitedTooLongIsNeverSent() {
        CompletableFuture<Decision> slow = take(1);
        CompletableFuture<Decision> late = take(2);
        redis.advanceMicros(400_000);
        CompletableFuture<Decision> patient = take(3);
        redis.advanceMicros(600_001);

        redis.carryOutAndAnswer();

        assertThat(slow.join().remaining()).isEqualTo(99);
        assertThat(late)
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .havingCause()
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(StoreException.Reason.TIMEOUT));
        assertThat(costs(1)).containsExactly(3L);
        redis.carryOutAndAnswer();
        assertThat(patient.join().allowed()).isTrue();
    }

    /** The time in the queue counts, also if the call is answered in the end: nobody uses that grant, so it is given back. */
    @Test
    void whoIsAnsweredTooLateFailsAndIsNotCharged() {
        take(1);
        CompletableFuture<Decision> late = take(2);
        redis.advanceMicros(700_000);
        redis.carryOutAndAnswer();
        assertThat(alarms).hasSize(1);
        redis.advanceMicros(300_000);
        alarms.remove(0).run();

        assertThat(late).isCompletedExceptionally();
        redis.carryOutAndAnswer();
        assertThat(redis.calls).hasSize(3);
        assertThat(redis.calls.get(2)).hasOnlyElementsOfType(Operation.Refund.class);
        redis.carryOutAndAnswer();
        assertThat(alarms).isEmpty();
    }

    /** Timers are for a Redis that is slow. */
    @Test
    void setsNoTimerWhileRedisIsFast() {
        take(1);
        take(2);
        redis.advanceMicros(20_000);
        redis.carryOutAndAnswer();
        redis.carryOutAndAnswer();
        assertThat(alarms).isEmpty();
    }

    /** Or the slots of waiters who have left would stay taken. */
    @Test
    void whatIsGivenBackIsSentHoweverLate() {
        CompletableFuture<Decision> first = take(1);
        redis.carryOutAndAnswer();
        Decision.Allowed granted = (Decision.Allowed) first.join();
        CompletableFuture<Decision> slow = take(2);
        CompletableFuture<Decision> refund = apply(PLAN, new Operation.Refund(granted));
        CompletableFuture<Decision> reset = apply(PLAN, Operation.RESET);
        redis.advanceMicros(5_000_000);

        while (!reset.isDone()) {
            redis.carryOutAndAnswer();
        }

        assertThat(slow).isCompleted();
        assertThat(refund).isCompleted();
        assertThat(reset).isCompleted();
    }

    @Test
    void tellsTheCallSinceWhenItsFirstOperationHasWaited() {
        List<Long> since = new ArrayList<>();
        TestCalls telling = new TestCalls() {
            @Override
            public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
                return redis.run(key, plan, operations);
            }

            @Override
            public CompletableFuture<List<Decision>> run(
                    Key key, Plan plan, List<Operation> operations, long sinceNanos) {
                since.add(redis.nanos() - sinceNanos);
                return run(key, plan, operations);
            }
        };
        for (int i = 0; i < 3; i++) {
            apply(telling, KEY, PLAN, Operation.ONE);
            redis.advanceNanos(1_000);
        }
        redis.settle();

        assertThat(since).containsExactly(0L, 2_000L);
    }

    /** Known bug A5: what was not sent is not charged. */
    @Test
    void whoIsCancelledWhileWaitingIsNeverSent() {
        take(1);
        CompletableFuture<Decision> cancelled = take(90);
        CompletableFuture<Decision> stays = take(2);
        cancelled.cancel(false);
        redis.settle();
        assertThat(costs(1)).containsExactly(2L);
        assertThat(stays.join().remaining()).isEqualTo(97);
    }

    @Test
    void aQueueOfWhichEverybodyIsCancelledIsGone() {
        take(1);
        take(2).cancel(false);
        take(3).cancel(false);
        redis.carryOutAndAnswer();
        assertThat(redis.calls).hasSize(1);
        assertThat(coalescer.busyKeys()).isZero();
    }

    /** Known bug A5: what is on its way is carried out; who may lose interest keeps the future and refunds. */
    @Test
    void whoIsCancelledOnceSentIsCharged() {
        take(1).cancel(false);
        redis.carryOutAndAnswer();
        assertThat(redis.apply(KEY, PLAN, Operation.PEEK).remaining()).isEqualTo(99);
    }

    @Test
    void aCallThatAnswersAtOnceIsServedWithoutRecursion() {
        take(1);
        List<CompletableFuture<Decision>> answers =
                IntStream.range(0, 64_000).mapToObj(i -> take(1)).toList();
        redis.holds = false;
        redis.carryOutAndAnswer();
        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(redis.calls).hasSize(1 + 64_000 / 64);
    }

    @Test
    void whoeverAsksAgainFromWithinAnAnswerIsServed() {
        List<CompletableFuture<Decision>> later = new ArrayList<>();
        CompletableFuture<Decision> first = take(1);
        first.thenRun(() -> later.add(take(2)));
        take(3).thenRun(() -> later.add(take(4)));
        redis.settle();
        assertThat(later).hasSize(2).allMatch(CompletableFuture::isDone);

        redis.holds = false;
        AtomicInteger rounds = new AtomicInteger();
        take(1).thenRun(() -> {
            while (rounds.incrementAndGet() < 1_000) {
                take(1).join();
            }
        });
        assertThat(rounds).hasValue(1_000);
    }

    /** The answers go out after the next call: a slow listener does not hold up the queue. */
    @Test
    void theNextCallIsSentBeforeTheLastIsHandedOut() {
        List<Integer> callsSeen = new ArrayList<>();
        take(1).thenRun(() -> callsSeen.add(redis.calls.size()));
        take(2);
        redis.carryOutAndAnswer();
        assertThat(callsSeen).containsExactly(2);
    }
}
