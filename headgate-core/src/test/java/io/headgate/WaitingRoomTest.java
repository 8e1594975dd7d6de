package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.headgate.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class WaitingRoomTest {

    private static final Duration HOUR = Duration.ofHours(1);

    private final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    private final MemoryStore memory = new MemoryStore(Headgate.algorithms(), time, 100);
    private final List<StoreLimiter> limiters = new ArrayList<>();

    private StoreLimiter limiter(String limit, String algorithm) {
        return limiter(memory, limit, algorithm);
    }

    private StoreLimiter limiter(Store store, String limit, String algorithm) {
        Plan plan = Plan.of(Limit.parse(limit).using(algorithm));
        StoreLimiter limiter = new StoreLimiter("api", plan, store, time);
        limiters.add(limiter);
        return limiter;
    }

    @AfterEach
    void everybodyHasLeftAndNobodyIsStillToBeWoken() {
        assertThat(limiters)
                .allSatisfy(limiter -> assertThat(limiter.waitingRoom.isEmpty()).isTrue());
        assertThat(time.pending()).isZero();
    }

    /** A store that answers when it is told to. */
    private final class SlowStore implements Store {

        private final Deque<Runnable> calls = new ArrayDeque<>();

        @Override
        public Decision apply(Key key, Plan plan, Operation operation) {
            return memory.apply(key, plan, operation);
        }

        @Override
        public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            calls.add(() -> answer.complete(apply(key, plan, operation)));
            return answer;
        }

        @Override
        public void check(Plan plan) {}

        void answerAll() {
            for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
                call.run();
            }
        }
    }

    /** A store that asks somebody else what to do. */
    private record ScriptedStore(Function<Operation, CompletableFuture<Decision>> script) implements Store {

        @Override
        public Decision apply(Key key, Plan plan, Operation operation) {
            return script.apply(operation).join();
        }

        @Override
        public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
            return script.apply(operation);
        }

        @Override
        public void check(Plan plan) {}
    }

    private static void assertWaits(CompletableFuture<Decision> waiter) {
        assertThat(waiter.isDone()).isFalse();
    }

    private static void assertGranted(CompletableFuture<Decision> waiter) {
        assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
    }

    private static Decision.Denied denied(CompletableFuture<Decision> waiter) {
        assertThat(waiter).isCompleted();
        assertThat(waiter.join()).isInstanceOf(Decision.Denied.class);
        return (Decision.Denied) waiter.join();
    }

    @Test
    void grantsAtOnceWhatIsThere() throws Exception {
        assertThat(limiter("2/min", "token-bucket").acquire("alice", 2, HOUR).allowed())
                .isTrue();
        assertThat(limiter("2/min", "fixed-window").acquire("bob", 2, HOUR).allowed())
                .isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window",
                "sliding-window-counter",
                "sliding-window-log"
            })
    void servesThoseWhoWaitInTheOrderTheyCame(String algorithm) {
        StoreLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        List<Integer> served = new ArrayList<>();
        List<CompletableFuture<Decision>> waiters = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            int number = i;
            waiters.add(limiter.acquireAsync("alice", 1 + i % 2, HOUR));
            waiters.get(i).thenRun(() -> served.add(number));
        }
        assertThat(served).isEmpty();

        time.advance(Duration.ofMinutes(5));

        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5, 6);
        waiters.forEach(WaitingRoomTest::assertGranted);
    }

    @Test
    void givesEachWaiterOfABucketItsOwnSlot() {
        StoreLimiter limiter = limiter("1/s", "token-bucket");
        limiter.tryAcquire("alice");
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, 3)
                .mapToObj(i -> limiter.acquireAsync("alice", 1, HOUR))
                .toList();
        assertThat(limiter.waitingRoom.isEmpty()).isTrue();

        for (CompletableFuture<Decision> waiter : waiters) {
            time.advance(999_999);
            assertWaits(waiter);
            time.advance(1);
            assertGranted(waiter);
        }
    }

    @Test
    void keepsTheLinesOfKeysApart() {
        StoreLimiter limiter = limiter("1/min", "fixed-window");
        limiter.tryAcquire("alice");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);

        assertGranted(limiter.acquireAsync("bob", 1, HOUR));
        assertWaits(waiter);
        waiter.cancel(false);
    }

    /** CATALOGUE A6: a large request is not overtaken for ever by small ones. */
    @Test
    void doesNotLetSmallRequestsOvertakeALargeOne() {
        StoreLimiter limiter = limiter("4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> large = limiter.acquireAsync("alice", 4, HOUR);
        CompletableFuture<Decision> small = limiter.acquireAsync("alice", 1, HOUR);

        time.advance(Duration.ofMillis(8_999));
        assertWaits(large);
        assertWaits(small);
        time.advance(Duration.ofMillis(1));
        assertGranted(large);
        assertWaits(small);
        time.advance(Duration.ofSeconds(10));
        assertGranted(small);
    }

    /** CATALOGUE A7. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window",
                "sliding-window-counter",
                "sliding-window-log"
            })
    void answersAtOnceWhenTheWaitIsTooLong(String algorithm) {
        StoreLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        Duration wait = ((Decision.Denied) limiter.peek("alice")).retryAfter();

        assertThat(denied(limiter.acquireAsync("alice", 1, wait.minusNanos(1_000)))
                        .retryAfter())
                .isEqualTo(wait);
        CompletableFuture<Decision> patient = limiter.acquireAsync("alice", 1, wait);
        assertWaits(patient);
        time.advance(wait);
        assertGranted(patient);
    }

    /** CATALOGUE A7: also when it is those ahead that take too long. */
    @Test
    void answersAtOnceWhenThoseAheadWillTakeTooLong() {
        StoreLimiter limiter = limiter("4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> first = limiter.acquireAsync("alice", 2, HOUR);

        Decision.Denied denied = denied(limiter.acquireAsync("alice", 1, Duration.ofMillis(7_999)));
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(8));

        assertThat(denied.retryAfter()).isEqualTo(Duration.ofSeconds(8));
        time.advance(Duration.ofSeconds(7));
        assertGranted(first);
        assertWaits(second);
        time.advance(Duration.ofSeconds(1));
        assertGranted(second);
    }

    /** CATALOGUE C4. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "sliding-window-log"})
    void answersAtOnceWhatCanNeverBe(String algorithm) {
        StoreLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);

        assertThat(limiter.acquireAsync("alice", 3, HOUR))
                .isCompletedWithValueMatching(Decision.Impossible.class::isInstance);
        head.cancel(false);
        assertThat(limiter.acquireAsync("alice", 3, HOUR))
                .isCompletedWithValueMatching(Decision.Impossible.class::isInstance);
    }

    @Test
    void neverWaitsLongerThanItSaidItWould() {
        StoreLimiter limiter = limiter("4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> large = limiter.acquireAsync("alice", 4, HOUR);
        CompletableFuture<Decision> small = limiter.acquireAsync("alice", 1, Duration.ofMillis(9_500));
        time.advance(Duration.ofMillis(8_900));
        assertThat(limiter.tryAcquire("alice").allowed()).isTrue(); // and so the large one has to wait again

        time.advance(Duration.ofMillis(599));
        assertWaits(small);
        time.advance(Duration.ofMillis(1));
        assertThat(denied(small).remaining()).as("kept for the large one").isEqualTo(3);
        assertWaits(large);
        time.advance(Duration.ofSeconds(10));
        assertGranted(large);
    }

    @Test
    void takesAtTheLastMomentWhatIsEnoughForAll() {
        StoreLimiter limiter = limiter("4/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 4);
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 2, HOUR);
        time.advance(Duration.ofSeconds(5));
        CompletableFuture<Decision> hasty = limiter.acquireAsync("alice", 1, Duration.ofSeconds(5));
        time.advance(Duration.ofMillis(4_900));
        limiter.reset("alice");
        limiter.tryAcquire("alice", 1);
        assertWaits(head);

        time.advance(Duration.ofMillis(100));
        assertGranted(hasty);
        assertGranted(head);
        assertThat(limiter.peek("alice").remaining()).isZero();
    }

    /** CATALOGUE A6: the wait that the store names is long enough; nobody has to wait again. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window",
                "sliding-window-counter",
                "sliding-window-log"
            })
    void asksAgainOnlyOnce(String algorithm) {
        List<Operation> asked = new ArrayList<>();
        Key key = new Key("api", "alice");
        Plan plan = Plan.of(Limit.parse("9/10s").using(algorithm));
        StoreLimiter limiter = limiter(
                new ScriptedStore(operation -> {
                    asked.add(operation);
                    return memory.applyAsync(key, plan, operation);
                }),
                "9/10s",
                algorithm);
        limiter.tryAcquire("alice", 4);
        time.advance(Duration.ofMillis(777));
        limiter.tryAcquire("alice", 5);
        asked.clear();

        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 7, HOUR);
        time.advance(Duration.ofMinutes(1));

        assertGranted(waiter);
        assertThat(asked).hasSize(algorithm.endsWith("-bucket") ? 1 : 2);
    }

    /** CATALOGUE A5. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window",
                "sliding-window-counter",
                "sliding-window-log"
            })
    void givesBackWhatACancelledWaiterWasGranted(String algorithm) {
        StoreLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        CompletableFuture<Decision> cancelled = limiter.acquireAsync("alice", 1, HOUR);

        cancelled.cancel(true);

        assertThat(limiter.peek("alice")).isEqualTo(before);
        assertThat(limiter.waitingRoom.isEmpty()).isTrue();
        assertThat(time.pending()).isZero();
    }

    /** CATALOGUE A5: {@code orTimeout} is a way to cancel, too. */
    @Test
    void givesBackWhatAWaiterThatTimedOutWasGranted() {
        StoreLimiter limiter = limiter("2/10s", "token-bucket");
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);

        waiter.completeExceptionally(new TimeoutException());

        assertThat(limiter.peek("alice")).isEqualTo(before);
    }

    @Test
    void movesUpWhenTheHeadIsCancelled() {
        StoreLimiter limiter = limiter("2/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 1);
        CompletableFuture<Decision> large = limiter.acquireAsync("alice", 2, HOUR);
        CompletableFuture<Decision> behind = limiter.acquireAsync("alice", 1, HOUR);
        assertWaits(behind);

        large.cancel(false);

        assertGranted(behind);
    }

    @Test
    void closesTheGapWhenOneInTheMiddleIsCancelled() {
        StoreLimiter limiter = limiter("1/10s", "fixed-window");
        limiter.tryAcquire("alice");
        CompletableFuture<Decision> first = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> third = limiter.acquireAsync("alice", 1, HOUR);

        second.cancel(false);
        time.advance(Duration.ofSeconds(10));
        assertGranted(first);
        assertWaits(third);
        time.advance(Duration.ofSeconds(10));
        assertGranted(third);
    }

    /** CATALOGUE A5: while the store has not even answered. */
    @Test
    void givesBackAGrantThatComesAfterTheWaiterHasGone() {
        SlowStore slow = new SlowStore();
        StoreLimiter limiter = limiter(slow, "2/10s", "token-bucket");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> now = limiter.acquireAsync("alice", 1, Duration.ZERO);

        head.cancel(false);
        now.cancel(false);
        slow.answerAll();

        assertThat(limiter.peek("alice").remaining()).isEqualTo(2);
    }

    @Test
    void servesTheNextWhenAHeadWasCancelledBeforeItsAnswer() {
        SlowStore slow = new SlowStore();
        StoreLimiter limiter = limiter(slow, "2/10s", "sliding-window");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 2, HOUR);
        CompletableFuture<Decision> next = limiter.acquireAsync("alice", 2, HOUR);

        head.cancel(false);
        slow.answerAll();
        time.advance(Duration.ofSeconds(30));
        slow.answerAll();

        assertGranted(next);
    }

    /** Between the question and the answer everything may have changed; nobody is charged twice for it. */
    @Test
    void isServedOnceEvenIfItsTimeIsOverWhileItIsServed() {
        SlowStore slow = new SlowStore();
        StoreLimiter limiter = limiter(slow, "10/10s", "token-bucket");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));
        slow.answerAll();
        slow.answerAll();
        assertGranted(head);
        time.advance(Duration.ofSeconds(1));
        slow.answerAll();

        assertGranted(second);
        assertThat(limiter.peek("alice").remaining()).isEqualTo(9);
    }

    /** The head has been granted what it wants, but does not know yet: that is not wanted a second time. */
    @Test
    void takesWhatIsThereWhenOnlyTheAnswerOfTheHeadIsLate() {
        List<Runnable> late = new ArrayList<>();
        Plan plan = Plan.of(Limit.parse("2/10s").using("fixed-window"));
        StoreLimiter limiter = limiter(
                new ScriptedStore(operation -> {
                    Decision decision = memory.apply(new Key("api", "alice"), plan, operation);
                    CompletableFuture<Decision> answer = new CompletableFuture<>();
                    if (late.isEmpty()) {
                        late.add(() -> answer.complete(decision));
                    } else {
                        answer.complete(decision);
                    }
                    return answer;
                }),
                "2/10s",
                "fixed-window");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));

        time.advance(Duration.ofSeconds(1));
        assertGranted(second);
        assertWaits(head);
        late.get(0).run();
        assertGranted(head);
    }

    @Test
    void looksAgainWhenThoseAheadHaveLeftMeanwhile() {
        SlowStore slow = new SlowStore();
        StoreLimiter limiter = limiter(slow, "4/10s", "sliding-window-log");
        for (int second = 0; second < 4; second++) {
            limiter.tryAcquire("alice");
            time.advance(Duration.ofSeconds(1));
        }
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, HOUR);
        slow.answerAll();
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 2, HOUR);
        slow.answerAll();
        CompletableFuture<Decision> third = limiter.acquireAsync("alice", 1, Duration.ofSeconds(8));

        second.cancel(false);
        slow.answerAll(); // that all three would take 9 s
        assertWaits(third);
        for (int i = 0; i < 8; i++) {
            time.advance(Duration.ofSeconds(1));
            slow.answerAll();
        }

        assertGranted(head);
        assertGranted(third);
    }

    /** CATALOGUE A5: a slot is given back even if it is known only after the waiter has gone. */
    @Test
    void givesBackASlotThatComesAfterTheWaiterHasGone() {
        SlowStore slow = new SlowStore();
        StoreLimiter limiter = limiter(slow, "2/10s", "token-bucket");
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);

        waiter.cancel(false);
        slow.answerAll();
        slow.answerAll();

        assertThat(limiter.peek("alice")).isEqualTo(before);
    }

    @Test
    void asksForAllWithoutCountingTwiceTheOneThatIsBeingServed() {
        SlowStore slow = new SlowStore();
        StoreLimiter limiter = limiter(slow, "2/10s", "fixed-window");
        CompletableFuture<Decision> head = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, Duration.ofSeconds(1));
        slow.answerAll();

        assertGranted(head);
        assertGranted(second);
    }

    private enum Trouble {
        FAILED,
        WRAPPED,
        THROWN;

        CompletableFuture<Decision> cause() {
            StoreException failure = new StoreException("down");
            return switch (this) {
                case FAILED -> CompletableFuture.failedFuture(failure);
                case WRAPPED -> CompletableFuture.failedFuture(new CompletionException(failure));
                case THROWN -> throw failure;
            };
        }
    }

    @ParameterizedTest
    @EnumSource
    void tellsTheCallerWhenTheStoreFails(Trouble trouble) {
        StoreLimiter limiter = limiter(new ScriptedStore(operation -> trouble.cause()), "1/s", "token-bucket");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> limiter.acquire("alice", 1, HOUR))
                .withMessage("down");
        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> limiter.acquire("alice", 1, Duration.ZERO))
                .withMessage("down");
        assertThat(catchThrowable(() -> limiter.acquireAsync("alice", 1, HOUR).join()))
                .hasCauseExactlyInstanceOf(StoreException.class);
    }

    @ParameterizedTest
    @EnumSource
    void goesOnWithTheLineWhenTheStoreFailed(Trouble trouble) {
        AtomicReference<Function<Operation, CompletableFuture<Decision>>> script = new AtomicReference<>();
        Plan plan = Plan.of(Limit.parse("1/10s").using("fixed-window"));
        Function<Operation, CompletableFuture<Decision>> sound =
                operation -> memory.applyAsync(new Key("api", "alice"), plan, operation);
        script.set(sound);
        StoreLimiter limiter =
                limiter(new ScriptedStore(operation -> script.get().apply(operation)), "1/10s", "fixed-window");
        limiter.tryAcquire("alice");
        CompletableFuture<Decision> first = limiter.acquireAsync("alice", 1, HOUR);
        CompletableFuture<Decision> second = limiter.acquireAsync("alice", 1, HOUR);

        script.set(operation -> {
            script.set(sound);
            return trouble.cause();
        });
        time.advance(Duration.ofSeconds(10));

        assertThat(first).isCompletedExceptionally();
        assertGranted(second);
    }

    @Test
    void takesNoAnswerForAFailure() {
        StoreLimiter limiter =
                limiter(new ScriptedStore(operation -> CompletableFuture.completedFuture(null)), "1/s", "token-bucket");

        assertThatExceptionOfType(StoreException.class)
                .isThrownBy(() -> limiter.acquire("alice", 1, HOUR))
                .withMessage("the store gave no answer");
    }

    /** CATALOGUE A5. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "sliding-window-log"})
    void givesBackWhatAnInterruptedThreadWasGranted(String algorithm) throws Exception {
        StoreLimiter limiter = limiter("2/10s", algorithm);
        limiter.tryAcquire("alice", 2);
        Decision before = limiter.peek("alice");
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> thrown.set(catchThrowable(() -> limiter.acquire("alice", 1, HOUR))));
        thread.start();
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        thread.interrupt();
        thread.join();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
        assertThat(limiter.peek("alice")).isEqualTo(before);
    }

    /** CATALOGUE A5: whichever comes first, the permit is with the caller or in the budget. */
    @ParameterizedTest
    @ValueSource(strings = {"token-bucket", "fixed-window", "sliding-window-log"})
    void losesNoPermitWhenCancelledJustAsItIsGranted(String algorithm) throws Exception {
        StoreLimiter limiter = limiter("10/10s", algorithm);
        CyclicBarrier start = new CyclicBarrier(2);
        int[] granted = new int[2];
        for (int round = Seeds.rounds(300); round > 0; round--) {
            limiter.reset("alice");
            limiter.tryAcquire("alice", 10);
            Duration wait = ((Decision.Denied) limiter.peek("alice")).retryAfter();
            CompletableFuture<Decision> waiter = limiter.acquireAsync("alice", 1, HOUR);
            Thread clock = new Thread(() -> {
                await(start);
                time.advance(wait);
            });
            clock.start();
            await(start);
            boolean cancelled = waiter.cancel(false);
            clock.join();

            long free = algorithm.equals("token-bucket") ? 1 : 10;
            assertThat(limiter.peek("alice").remaining()).isEqualTo(cancelled ? free : free - 1);
            granted[cancelled ? 1 : 0]++;
        }
        assertThat(granted[0] + granted[1]).isEqualTo(Seeds.rounds(300));
    }

    /** CATALOGUE A5. */
    @Test
    void losesNoPermitWhenInterruptedJustAsItIsGranted() throws Exception {
        StoreLimiter limiter = limiter("10/10s", "fixed-window");
        CyclicBarrier start = new CyclicBarrier(2);
        for (int round = Seeds.rounds(200); round > 0; round--) {
            limiter.reset("alice");
            limiter.tryAcquire("alice", 10);
            AtomicReference<Decision> got = new AtomicReference<>();
            Thread thread = new Thread(() -> {
                try {
                    got.set(limiter.acquire("alice", 1, HOUR));
                } catch (InterruptedException e) {
                    assertThat(got.get()).isNull();
                }
            });
            thread.start();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            Thread clock = new Thread(() -> {
                await(start);
                time.advance(Duration.ofSeconds(10));
            });
            clock.start();
            await(start);
            thread.interrupt();
            clock.join();
            thread.join();

            assertThat(limiter.peek("alice").remaining()).isEqualTo(got.get() == null ? 10 : 9);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    /** On a thread with little stack: whoever serves a line does not climb along it. */
    private static void onASmallStack(Runnable action) {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        Thread thread = new Thread(null, () -> failure.set(catchThrowable(action::run)), "small", 160 * 1024);
        thread.start();
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        assertThat(failure.get()).isNull();
    }

    private static final int MANY = 10_000;

    @Test
    void servesAVeryLongLine() {
        StoreLimiter limiter = limiter(MANY + "/10s", "fixed-window");
        limiter.tryAcquire("alice", MANY);
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", 1, HOUR))
                .toList();

        onASmallStack(() -> time.advance(Duration.ofSeconds(10)));

        waiters.forEach(WaitingRoomTest::assertGranted);
    }

    @Test
    void endsAVeryLongLineWhenTheTimeOfAllIsOver() {
        StoreLimiter limiter = limiter("2/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 1);
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", 2, Duration.ofSeconds(15)))
                .toList();

        onASmallStack(() -> time.advance(Duration.ofSeconds(15)));

        assertGranted(waiters.get(0));
        waiters.subList(1, MANY).forEach(WaitingRoomTest::denied);
    }

    @Test
    void servesWhoeverIsLeftOfAVeryLongLine() {
        StoreLimiter limiter = limiter("2/10s", "sliding-window-log");
        limiter.tryAcquire("alice", 1);
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", i == MANY - 1 ? 1 : 2, HOUR))
                .toList();

        onASmallStack(() -> waiters.subList(0, MANY - 1).forEach(waiter -> waiter.cancel(false)));

        assertGranted(waiters.get(MANY - 1));
    }

    @Test
    void servesAVeryLongLineOfASlowStore() {
        SlowStore slow = new SlowStore();
        StoreLimiter limiter = limiter(slow, MANY + "/10s", "token-bucket");
        List<CompletableFuture<Decision>> waiters = IntStream.range(0, MANY)
                .mapToObj(i -> limiter.acquireAsync("alice", 1, HOUR))
                .toList();

        onASmallStack(slow::answerAll);

        waiters.forEach(WaitingRoomTest::assertGranted);
    }
}
