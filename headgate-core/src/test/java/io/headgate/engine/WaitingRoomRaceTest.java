package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.InterleavedThreads;
import io.headgate.InterleavingTime;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Seeds;
import io.headgate.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Callers, a clock and a network that take turns at random: nobody waits for ever, and no permit is lost or given twice. */
class WaitingRoomRaceTest {

    private static final int STEPS = 15;

    private final Random random = Seeds.random(getClass());

    /** Keeps a list of every grant, and may hold a call back before it answers. */
    private final class RecordingLedger implements Ledger {

        final List<Decision.Allowed> grants = new ArrayList<>();
        final List<Runnable> calls = new ArrayList<>();
        private final Ledger ledger;
        private final boolean slow;

        RecordingLedger(Ledger ledger, boolean slow) {
            this.ledger = ledger;
            this.slow = slow;
        }

        @Override
        public Decision apply(String subject, Operation operation) {
            Decision decision = ledger.apply(subject, operation);
            if (operation instanceof Operation.Take && decision instanceof Decision.Allowed granted) {
                grants.add(granted);
            }
            return decision;
        }

        @Override
        public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
            if (!slow) {
                return Ledger.super.applyAsync(subject, operation);
            }
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            calls.add(() -> answer.complete(apply(subject, operation)));
            return answer;
        }

        void answerOne() {
            if (!calls.isEmpty()) {
                calls.remove(random.nextInt(calls.size())).run();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "token-bucket, false", "leaky-bucket, false", "fixed-window, false", "sliding-window, false",
        "token-bucket, true", "leaky-bucket, true", "fixed-window, true", "sliding-window, true",
    })
    @Timeout(300)
    void everyGrantIsWithItsCallerOrBackInTheBudget(String algorithm, boolean slow) {
        for (int round = Seeds.rounds(20); round > 0; round--) {
            play(algorithm, slow);
        }
    }

    private void play(String algorithm, boolean slow) {
        InterleavedThreads turns = new InterleavedThreads(random);
        InterleavingTime time = new InterleavingTime("2026-03-01T00:00:00Z", turns);
        Plan plan = Plan.of(Limit.parse("3/10s").using(algorithm));
        RecordingLedger ledger =
                new RecordingLedger(new MemoryStore(Headgate.algorithms(), time, 10).bind("api", plan), slow);
        LedgerLimiter limiter = new LedgerLimiter("api", plan, ledger, time);
        List<CompletableFuture<Decision>> answers = new ArrayList<>();
        Set<Decision> delivered = Collections.newSetFromMap(new IdentityHashMap<>());
        Set<Decision> refunded = Collections.newSetFromMap(new IdentityHashMap<>());
        Runnable caller = () -> call(limiter, turns, answers, delivered, refunded);
        Runnable clock = () -> {
            for (int i = 0; i < STEPS; i++) {
                time.advance(random.nextInt(5_000_000));
            }
        };
        Runnable network = () -> {
            for (int i = 0; i < 4 * STEPS; i++) {
                ledger.answerOne();
                turns.pass();
            }
        };

        turns.run(caller, caller, caller, clock, network);
        for (int i = 0; i < 200; i++) {
            while (!ledger.calls.isEmpty()) {
                ledger.answerOne();
            }
            time.advance(Duration.ofMinutes(1));
        }

        assertThat(answers).allMatch(CompletableFuture::isDone);
        assertThat(limiter.waitingRoom.isEmpty()).isTrue();
        assertThat(time.pending()).isZero();
        for (CompletableFuture<Decision> answer : answers) {
            if (!answer.isCancelled()) {
                delivered.add(answer.join());
            }
        }
        for (Decision.Allowed grant : ledger.grants) {
            boolean kept = delivered.contains(grant) && !refunded.contains(grant);
            assertThat(grant.refundable() > 0).as("still charged").isEqualTo(kept);
        }
    }

    private void call(
            LedgerLimiter limiter,
            InterleavedThreads turns,
            List<CompletableFuture<Decision>> answers,
            Set<Decision> delivered,
            Set<Decision> refunded) {
        for (int i = 0; i < STEPS; i++) {
            switch (random.nextInt(6)) {
                case 0, 1, 2 ->
                    answers.add(limiter.acquireAsync(
                            "alice", 1 + random.nextInt(3), Duration.ofNanos(1_000L * random.nextInt(30_000_000))));
                case 3 -> {
                    if (!answers.isEmpty()) {
                        answers.get(random.nextInt(answers.size())).cancel(false);
                    }
                }
                case 4 -> delivered.add(limiter.tryAcquire("alice"));
                default -> {
                    if (limiter.tryAcquire("alice") instanceof Decision.Allowed granted) {
                        refunded.add(granted);
                        limiter.refund(granted);
                    }
                }
            }
            turns.pass();
        }
    }
}
