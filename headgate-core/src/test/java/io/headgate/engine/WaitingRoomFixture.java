package io.headgate.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TestTime;
import io.headgate.memory.MemoryStore;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;

/** Limiters over a store in memory or one that is slow or scripted; after each test, nobody may be left waiting. */
@Timeout(60)
abstract class WaitingRoomFixture {

    static final Duration HOUR = Duration.ofHours(1);

    final TestTime time = new TestTime("2026-03-01T00:00:00Z");
    final MemoryStore memory = new MemoryStore(Headgate.algorithms(), time, 100);
    private final List<LedgerLimiter> limiters = new ArrayList<>();

    final LedgerLimiter limiter(String limit, String algorithm) {
        return limiter(memory, limit, algorithm);
    }

    final LedgerLimiter limiter(Store store, String limit, String algorithm) {
        Plan plan = Plan.of(Limit.parse(limit).using(algorithm));
        LedgerLimiter limiter = new LedgerLimiter("api", plan, store.bind("api", plan), time);
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
    final class SlowStore implements Store {

        private final Deque<Runnable> calls = new ArrayDeque<>();

        @Override
        public Ledger bind(String scope, Plan plan) {
            Ledger ledger = memory.bind(scope, plan);
            return new Ledger() {
                @Override
                public Decision apply(String subject, Operation operation) {
                    return ledger.apply(subject, operation);
                }

                @Override
                public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                    CompletableFuture<Decision> answer = new CompletableFuture<>();
                    calls.add(() -> answer.complete(apply(subject, operation)));
                    return answer;
                }
            };
        }

        void answerAll() {
            for (Runnable call = calls.poll(); call != null; call = calls.poll()) {
                call.run();
            }
        }
    }

    /** A store that asks somebody else what to do. */
    record ScriptedStore(Function<Operation, CompletableFuture<Decision>> script) implements Store {

        @Override
        public Ledger bind(String scope, Plan plan) {
            return new Ledger() {
                @Override
                public Decision apply(String subject, Operation operation) {
                    return script.apply(operation).join();
                }

                @Override
                public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                    return script.apply(operation);
                }
            };
        }
    }

    static void assertWaits(CompletableFuture<Decision> waiter) {
        assertThat(waiter.isDone()).isFalse();
    }

    static void assertGranted(CompletableFuture<Decision> waiter) {
        assertThat(waiter).isCompletedWithValueMatching(Decision::allowed);
    }

    static Decision.Denied denied(CompletableFuture<Decision> waiter) {
        assertThat(waiter).isCompleted();
        assertThat(waiter.join()).isInstanceOf(Decision.Denied.class);
        return (Decision.Denied) waiter.join();
    }
}
