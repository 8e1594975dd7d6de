package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.engine.Grant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;

/** Threads that wait for passengers, and how they are woken. */
@Timeout(60)
class LandingTest {

    private static final Plan PLAN = Plan.parse("100/min");
    private static final Limit LIMIT = PLAN.limits().get(0);

    private static PendingOperation passenger() {
        return new PendingOperation(PLAN, Operation.ONE);
    }

    private static List<PendingOperation> passengers(int count) {
        return Stream.generate(LandingTest::passenger).limit(count).toList();
    }

    private static Decision answer(int remaining) {
        return Grant.of(LIMIT, "alice", 1, remaining, 0, 0, null);
    }

    /** Each is told its place. */
    private static void land(List<PendingOperation> passengers) {
        Landing landing = new Landing();
        for (int i = 0; i < passengers.size(); i++) {
            passengers.get(i).land(landing, answer(i));
        }
        landing.wake();
    }

    /** A thread that waits. */
    private static final class Waiting<T> {

        private final FutureTask<T> task;
        final Thread thread;

        Waiting(Callable<T> wait) {
            this.task = new FutureTask<>(wait);
            this.thread = new Thread(task);
            thread.setDaemon(true);
            thread.start();
        }

        Waiting<T> asleep() {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            return this;
        }

        T result() throws InterruptedException, ExecutionException, TimeoutException {
            return task.get(20, TimeUnit.SECONDS);
        }
    }

    private static List<Waiting<Decision>> waitFor(List<PendingOperation> passengers) {
        List<Waiting<Decision>> waiting = new ArrayList<>();
        for (PendingOperation each : passengers) {
            waiting.add(new Waiting<>(each::await).asleep());
        }
        return waiting;
    }

    @Test
    void wakesEverybody() throws Exception {
        List<PendingOperation> passengers = passengers(64);
        List<Waiting<Decision>> waiting = waitFor(passengers);
        land(passengers);
        for (int i = 0; i < waiting.size(); i++) {
            assertThat(waiting.get(i).result().remaining()).isEqualTo(i);
        }
    }

    @Test
    void wakesTwoWhoWakeTheRest() {
        Landing landing = new Landing();
        List<Sleeper> sleepers = Stream.generate(Sleeper::new).limit(5).toList();
        sleepers.forEach(landing::add);
        landing.wake();
        assertThat(sleepers.stream().map(Sleeper::isWoken)).containsExactly(true, true, false, false, false);

        sleepers.get(0).sleep(); // not for long: it was woken
        assertThat(sleepers.stream().map(Sleeper::isWoken)).containsExactly(true, true, true, false, false);
    }

    @Test
    void wakesWithFailuresToo() throws Exception {
        List<PendingOperation> passengers = passengers(4);
        List<Waiting<Decision>> waiting = waitFor(passengers);
        Landing landing = new Landing();
        passengers.forEach(each -> each.land(landing, new StoreException("gone")));
        landing.wake();
        for (Waiting<Decision> each : waiting) {
            assertThatThrownBy(each::result)
                    .hasCauseInstanceOf(CompletionException.class)
                    .hasRootCauseMessage("gone");
        }
    }

    @Test
    void wakesSeveralWhoWaitForTheSame() throws Exception {
        PendingOperation passenger = passenger();
        List<Waiting<Decision>> waiting = waitFor(List.of(passenger, passenger, passenger, passenger));
        land(List.of(passenger));
        for (Waiting<Decision> each : waiting) {
            assertThat(each.result().remaining()).isZero();
        }
    }

    @Test
    void wakesWhoeverWaitsForWhatSomebodyElseCancels() throws Exception {
        PendingOperation passenger = passenger();
        Waiting<Decision> waiting = new Waiting<>(passenger::await).asleep();
        passenger.cancel(false);
        assertThatThrownBy(waiting::result).hasCauseInstanceOf(CancellationException.class);
    }

    /** Whoever is cancelled by one thread while another lands its call is not among those who wake each other. */
    @Test
    void wakesAtOnceWhoeverIsAnsweredByAnotherThread() throws Exception {
        PendingOperation passenger = passenger();
        Waiting<Decision> waiting = new Waiting<>(passenger::await).asleep();
        passenger.land(new Waiting<>(Landing::new).result(), answer(7));
        assertThat(waiting.result().remaining()).isEqualTo(7);
    }

    /** Whoever comes so late is not left behind with those who have been woken. */
    @Test
    void nobodyIsAddedOnceTheFirstAreWoken() {
        Landing landing = new Landing();
        assertThat(landing.isOurs()).isTrue();
        landing.wake();
        assertThat(landing.isOurs()).isFalse();
    }

    /** One that is woken may get no carrier, as long as those that have one wait for it to wake them. */
    @Test
    @EnabledForJreRange(min = JRE.JAVA_21)
    void doesNotRelyOnVirtualThreads() throws Exception {
        FutureTask<Boolean> inside = new FutureTask<>(Sleeper::canBeThisThread);
        Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, inside);
        assertThat(inside.get(20, TimeUnit.SECONDS)).isFalse();
        assertThat(new Waiting<>(Sleeper::canBeThisThread).result()).isTrue();
    }

    @Test
    void lateAnswersDoNoHarm() throws Exception {
        List<PendingOperation> passengers = passengers(3);
        List<Waiting<Decision>> waiting = waitFor(passengers);
        passengers.get(0).cancel(false);
        land(passengers);
        assertThatThrownBy(waiting.get(0)::result).hasCauseInstanceOf(CancellationException.class);
        assertThat(waiting.get(1).result().remaining()).isEqualTo(1);
        assertThat(waiting.get(2).result().remaining()).isEqualTo(2);
    }

    @Test
    void interruptsHaveToWait() throws Exception {
        PendingOperation passenger = passenger();
        Waiting<Boolean> waiting = new Waiting<>(() -> {
                    passenger.await();
                    return Thread.interrupted();
                })
                .asleep();
        waiting.thread.interrupt();
        while (waiting.thread.isInterrupted()) { // it has seen it and is about to sleep again
            Thread.onSpinWait();
        }
        land(List.of(passenger));
        assertThat(waiting.result()).isTrue();
    }

    @Test
    void aPoolLearnsThatItsThreadWaits() throws Exception {
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            PendingOperation passenger = passenger();
            CountDownLatch waits = new CountDownLatch(1);
            var waiting = pool.submit(() -> {
                waits.countDown();
                return passenger.await();
            });
            waits.await();
            pool.execute(() -> land(List.of(passenger)));
            assertThat(waiting.get(20, TimeUnit.SECONDS).remaining()).isZero();
        } finally {
            pool.shutdownNow();
        }
    }

    /** Threads are interrupted and have their passengers cancelled while the call lands, some before they are asleep. */
    @Test
    void leavesNobodyAsleep() throws Exception {
        for (int round = Seeds.rounds(300); round > 0; round--) {
            long seed = Seeds.next();
            Random random = new Random(seed);
            List<PendingOperation> passengers = passengers(1 + random.nextInt(16));
            List<Waiting<Boolean>> waiting = new ArrayList<>();
            for (PendingOperation each : passengers) {
                waiting.add(new Waiting<>(() -> isAnswered(each)));
            }
            Thread lands = new Thread(() -> land(passengers));
            for (int spins = random.nextInt(10_000); spins > 0; spins--) {
                Thread.onSpinWait();
            }
            lands.start();
            waiting.get(random.nextInt(passengers.size())).thread.interrupt();
            passengers.get(random.nextInt(passengers.size())).cancel(false);
            for (Waiting<Boolean> each : waiting) {
                assertThatCode(each::result).as("seed %d", seed).doesNotThrowAnyException();
            }
        }
    }

    private static boolean isAnswered(PendingOperation passenger) {
        try {
            passenger.await();
            return true;
        } catch (CancellationException e) {
            return false;
        }
    }
}
