package io.headgate.redis;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import java.util.concurrent.CompletableFuture;

/**
 * Counts the answers that a store still owes. What a caller leaves to others, such as giving back the slot of somebody who has
 * left, has happened once nothing is owed: a call that waits for its answer is made only then.
 */
final class PendingAnswers {

    private int owed;

    /** The same store, counted. */
    Store count(RedisStore store) {
        return new Counted(store);
    }

    /** Until nothing is owed. */
    synchronized void await() {
        try {
            while (owed > 0) {
                wait();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted with " + owed + " answers under way", e);
        }
    }

    private synchronized void add(int change) {
        owed += change;
        notifyAll();
    }

    private final class Counted implements Store, AutoCloseable {

        private final RedisStore store;

        Counted(RedisStore store) {
            this.store = store;
        }

        @Override
        public Ledger bind(String scope, Plan plan) {
            Ledger ledger = store.bind(scope, plan);
            return new Ledger() {
                @Override
                public Decision apply(String subject, Operation operation) {
                    PendingAnswers.this.await();
                    return ledger.apply(subject, operation);
                }

                /** An answer is owed until whatever depends on it has run. */
                @Override
                public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                    add(1);
                    CompletableFuture<Decision> answer = new CompletableFuture<>();
                    ledger.applyAsync(subject, operation).whenComplete((decision, failure) -> {
                        if (failure != null) {
                            answer.completeExceptionally(failure);
                        } else {
                            answer.complete(decision);
                        }
                        add(-1);
                    });
                    return answer;
                }
            };
        }

        @Override
        public Algorithms algorithms() {
            return store.algorithms();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
