package io.headgate.guard;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.TimeSource;
import io.headgate.guard.Breaker.State;
import io.headgate.memory.MemoryStore;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A check has its answer within the deadline, whatever the store does, and asks it at most once. Known bug R7. */
class DeadlineTest extends GuardFixture {

    private static final String LIMIT = "10/min";

    @Test
    void answersAtTheDeadlineAndNotBefore() {
        Guard guard = guard();
        store.keepSilent();
        CompletableFuture<Decision> answer = takeAsync(guard, FailurePolicy.CLOSED, LIMIT);

        time.advanceMicros(99_999);
        assertThat(answer).isNotDone();
        time.advanceMicros(1);

        assertThat(answer.join()).isUnavailable();
        assertThat(guard.failures(Reason.TIMEOUT)).isOne();
        assertThat(store.calls()).isOne();
    }

    @Test
    void waitsForNobodyOnceAnswered() {
        Guard guard = guard();
        takeAsync(guard, FailurePolicy.LOCAL, LIMIT).join();
        assertThat(time.waiting()).as("answered at once").isZero();

        store.keepSilent();
        CompletableFuture<Decision> answer = takeAsync(guard, FailurePolicy.LOCAL, LIMIT);
        assertThat(time.waiting()).isOne();
        passes("0.05s");
        store.answerAtLast();

        assertThat(answer.join()).isAllowed().hasRemaining(8);
        assertThat(answer.join().degraded()).isFalse();
        assertThat(time.waiting()).isZero();
    }

    /** The answer comes while the alarm is being set. */
    @Test
    void waitsForNobodyWhoWasAnsweredJustThen() {
        Guard guard = guardThatSetsAlarms(micros -> {
            store.answerAtLast();
            return time.after(micros);
        });
        store.keepSilent();

        assertThat(takeAsync(guard, FailurePolicy.LOCAL, LIMIT).join()).isAllowed();
        assertThat(time.waiting()).isZero();
    }

    /** A future that is cancelled makes an exception with its whole stack: too much for every check of a store elsewhere. */
    @Test
    void stopsItsAlarmWithoutAnException() {
        List<CompletableFuture<Void>> alarms = new ArrayList<>();
        Guard guard = guardThatSetsAlarms(micros -> {
            alarms.add(time.after(micros));
            return alarms.get(0);
        });
        store.keepSilent();
        CompletableFuture<Decision> answer = takeAsync(guard, FailurePolicy.LOCAL, LIMIT);
        store.answerAtLast();

        assertThat(answer.join()).isAllowed();
        assertThat(alarms).singleElement().satisfies(alarm -> {
            assertThat(alarm).isDone();
            assertThat(alarm.isCompletedExceptionally()).isFalse();
        });
        assertThat(guard.failures(Reason.TIMEOUT)).isZero();
    }

    private Guard guardThatSetsAlarms(LongFunction<CompletableFuture<Void>> after) {
        TimeSource watched = new TimeSource() {
            @Override
            public long nowMicros() {
                return time.nowMicros();
            }

            @Override
            public CompletableFuture<Void> after(long micros) {
                return after.apply(micros);
            }
        };
        return new Guard(store, new MemoryStore(Headgate.algorithms(), time, 1_000), settings, watched);
    }

    @Test
    void letsGoOfAThreadThatWaitsAtTheDeadlineAndNotBefore() {
        Guard guard = guard();
        store.keepSilent();
        CompletableFuture<Decision> answer = takeOnAThread(guard, FailurePolicy.CLOSED);

        time.advanceMicros(99_999);
        assertThat(answer).isNotDone();
        time.advanceMicros(1);

        assertThat(answer.join()).isUnavailable();
        assertThat(guard.failures(Reason.TIMEOUT)).isOne();
        store.answerAtLast();
        assertThat(guard.takenBack()).isOne();
        assertThat(remaining(LIMIT)).isEqualTo(10);
    }

    @Test
    void letsGoOfAThreadThatWaitsWhenTheAnswerComes() {
        Guard guard = guard();
        store.keepSilent();
        CompletableFuture<Decision> answer = takeOnAThread(guard, FailurePolicy.LOCAL);

        store.answerAtLast();

        assertThat(answer.join()).isAllowed().hasRemaining(9);
        assertThat(answer.join().degraded()).isFalse();
        assertThat(time.waiting()).isZero();
    }

    /** What an outage starts with is the last answer, not what the last thread to wake up was told. */
    @Test
    void remembersAnswersInTheirOrder() {
        Guard guard = guard();
        store.keepSilent();
        CompletableFuture<Decision> first = takeOnAThread(guard, FailurePolicy.LOCAL);
        CompletableFuture<Decision> second = takeOnAThread(guard, FailurePolicy.LOCAL);

        store.answerAtLast();
        store.failWith(Reason.UNREACHABLE);

        assertThat(take(guard, FailurePolicy.LOCAL, LIMIT)).isAllowed().hasRemaining(7);
        assertThat(first.join().remaining() + second.join().remaining()).isEqualTo(9 + 8);
    }

    /** A request that holds its thread, and has been placed. */
    private CompletableFuture<Decision> takeOnAThread(Guard guard, FailurePolicy policy) {
        int waiting = time.waiting();
        CompletableFuture<Decision> answer =
                CompletableFuture.supplyAsync(() -> take(guard, policy, LIMIT), task -> new Thread(task).start());
        while (time.waiting() == waiting && !answer.isDone()) {
            Thread.onSpinWait();
        }
        return answer;
    }

    enum Wrapping {
        NONE,
        DECORATOR,
        PROXY;

        /** The store as an ordinary decorator hands it on; none of them says whether it blocks. */
        Store wrap(Store store) {
            return switch (this) {
                case NONE -> store;
                case DECORATOR ->
                    (scope, plan) -> {
                        Ledger ledger = store.bind(scope, plan);
                        return (subject, operation) -> ledger.apply(subject, operation);
                    };
                case PROXY ->
                    (Store) Proxy.newProxyInstance(
                            Store.class.getClassLoader(),
                            new Class<?>[] {Store.class},
                            (proxy, method, arguments) -> method.invoke(store, arguments));
            };
        }
    }

    /** Known bug O7. The store is one that holds the calling thread, and it holds it for ever. */
    @ParameterizedTest
    @EnumSource
    void holdsForStoresThatHoldTheThread(Wrapping wrapping) throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        Store stuck = wrapping.wrap((scope, plan) -> (subject, operation) -> {
            try {
                never.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            throw new StoreException("released");
        });
        Guard guard = new Guard(
                stuck,
                new MemoryStore(Headgate.algorithms(), TimeSource.system(), 10),
                settings.deadline(Duration.ofMillis(1)).openFor(Duration.ofMinutes(1)),
                TimeSource.system());

        for (int i = 1; i <= 20; i++) {
            assertThat(take(guard, FailurePolicy.LOCAL, "10 per 1h").allowed()).isEqualTo(i <= 10);
        }
        assertThat(guard.failures(Reason.TIMEOUT)).isEqualTo(5);
        assertThat(guard.failures(Reason.BREAKER)).isEqualTo(15);
        never.countDown();
    }

    @Test
    void takesBackAGrantThatCameTooLateForARequestThatWasDenied() {
        Guard guard = guard();
        store.keepSilent();
        CompletableFuture<Decision> answer = takeAsync(guard, FailurePolicy.CLOSED, LIMIT);
        passes("0.1s");
        assertThat(answer.join()).isUnavailable();

        store.answerAtLast();

        assertThat(remaining(LIMIT)).isEqualTo(10);
        assertThat(guard.takenBack()).isOne();
    }

    @Test
    void leavesTheChargeOfARequestThatWentAheadMeanwhile() {
        Guard guard = guard();
        store.keepSilent();
        CompletableFuture<Decision> answer = takeAsync(guard, FailurePolicy.LOCAL, LIMIT);
        passes("0.1s");
        assertThat(answer.join()).isAllowed();

        store.answerAtLast();

        assertThat(remaining(LIMIT)).isEqualTo(9);
        assertThat(guard.takenBack()).isZero();
    }

    @Test
    void leavesAFailingStoreAloneAndProbesWithOneCall() {
        Guard guard = guard();
        store.failWith(Reason.UNREACHABLE);
        for (int i = 0; i < 50; i++) {
            assertThat(take(guard, FailurePolicy.CLOSED, LIMIT)).isUnavailable();
        }
        assertThat(store.calls()).isEqualTo(5);
        assertThat(guard.failures(Reason.UNREACHABLE)).isEqualTo(5);
        assertThat(guard.failures(Reason.BREAKER)).isEqualTo(45);

        passes("0.5s");
        store.keepSilent();
        CompletableFuture<Decision> probe = takeAsync(guard, FailurePolicy.CLOSED, LIMIT);
        assertThat(take(guard, FailurePolicy.CLOSED, LIMIT)).isUnavailable();
        assertThat(store.calls()).isEqualTo(6);

        store.answerAtLast();
        assertThat(probe.join()).isAllowed().hasRemaining(9);
        assertThat(take(guard, FailurePolicy.CLOSED, LIMIT)).isAllowed().hasRemaining(8);
    }

    @Test
    void leavesAloneOnlyThePartThatFails() {
        Guard guard = guard();
        store.failWith(Reason.UNREACHABLE);
        for (int i = 0; i < 10; i++) {
            take(guard, FailurePolicy.CLOSED, LIMIT);
        }
        store.work();
        Key elsewhere = new Key(FaultyStore.OTHER_PART, "alice");
        assertThat(take(guard, FailurePolicy.CLOSED, LIMIT)).isUnavailable();
        assertThat(guard.store(FailurePolicy.CLOSED)
                        .bind(elsewhere.scope(), Plan.parse(LIMIT))
                        .apply(elsewhere.subject(), Operation.ONE))
                .isAllowed();
    }

    /** Somebody's broken key must not make the limits of all others local. */
    @Test
    void keepsAskingWhenOnlyAKeyIsInTrouble() {
        Guard guard = guard();
        store.failWith(Reason.UNREADABLE);
        for (int i = 0; i < 20; i++) {
            assertThat(take(guard, FailurePolicy.CLOSED, LIMIT)).isUnavailable();
        }
        assertThat(store.calls()).isEqualTo(20);
        assertThat(guard.circuitOf(false).breaker()).isEqualTo(new State.Closed(0));
    }

    @Test
    void keepsTheNumberOfUnansweredCallsBounded() {
        settings = settings.callsInFlight(3);
        Guard guard = guard();
        store.keepSilent();
        for (int i = 0; i < 3; i++) {
            takeAsync(guard, FailurePolicy.CLOSED, LIMIT);
        }
        assertThat(takeAsync(guard, FailurePolicy.CLOSED, LIMIT).join()).isUnavailable();
        assertThat(guard.failures(Reason.BULKHEAD)).isOne();
        assertThat(store.calls()).isEqualTo(3);

        passes("0.1s");
        assertThat(guard.circuitOf(false).inFlight())
                .as("given up, but still under way")
                .isEqualTo(3);
        store.answerAtLast();
        assertThat(guard.circuitOf(false).inFlight()).isZero();
        assertThat(take(guard, FailurePolicy.CLOSED, LIMIT)).isAllowed();
    }

    /** Known bug C13: what a store should not throw follows the policy as well. */
    @Test
    void treatsWhateverIsThrownAsAFailure() {
        Guard guard = guard();
        store.failWith(new IllegalStateException("a bug"));
        assertThat(take(guard, FailurePolicy.CLOSED, LIMIT)).isUnavailable();
        assertThat(guard.failures(Reason.OTHER)).isOne();
    }

    /** There is nothing to say instead. */
    @Test
    void failsResetsAndRefundsOfWhatTheStoreGranted() {
        Guard guard = guard();
        Store view = guard.store(FailurePolicy.OPEN);
        Decision.Allowed grant = (Decision.Allowed) take(guard, FailurePolicy.OPEN, LIMIT);
        store.failWith(Reason.UNREACHABLE);
        Plan plan = Plan.parse(LIMIT);

        assertThatThrownBy(() -> view.bind(KEY.scope(), plan).apply(KEY.subject(), Operation.RESET))
                .isInstanceOf(StoreException.class);
        assertThatThrownBy(() -> view.bind(KEY.scope(), plan).apply(KEY.subject(), new Operation.Refund(grant)))
                .isInstanceOf(StoreException.class);
    }
}
