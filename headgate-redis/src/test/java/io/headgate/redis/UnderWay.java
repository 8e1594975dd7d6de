package io.headgate.redis;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import java.util.concurrent.CompletableFuture;

/**
 * Counts the answers that a store still owes. What a caller leaves to others, such as giving back the slot of somebody who has
 * left, has happened once nothing is owed: a call that waits for its answer is made only then.
 */
final class UnderWay {

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
        public Decision apply(Key key, Plan plan, Operation operation) {
            UnderWay.this.await();
            return store.apply(key, plan, operation);
        }

        /** An answer is owed until whatever depends on it has run. */
        @Override
        public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
            add(1);
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            store.applyAsync(key, plan, operation).whenComplete((decision, failure) -> {
                if (failure != null) {
                    answer.completeExceptionally(failure);
                } else {
                    answer.complete(decision);
                }
                add(-1);
            });
            return answer;
        }

        @Override
        public void check(Plan plan) {
            store.check(plan);
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
