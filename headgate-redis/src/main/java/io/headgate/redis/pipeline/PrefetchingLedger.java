package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A ledger that answers requests for a busy key with {@linkplain Prefetching prefetched} permits. */
final class PrefetchingLedger implements AsyncLedger {

    private final Prefetching prefetching;
    private final String scope;
    final PlanCalls calls;
    final Ledger next;
    private final boolean suitable;

    PrefetchingLedger(Prefetching prefetching, String scope, PlanCalls calls, Ledger next) {
        this.prefetching = prefetching;
        this.scope = scope;
        this.calls = calls;
        this.next = next;
        this.suitable = prefetching.suits(calls);
    }

    /** None is known for a key with prefetched permits: there may be some in spite of a denial. */
    @Override
    public @Nullable Decision known(String subject, Operation operation) {
        return prefetching.of(new Key(scope, subject)) == null ? next.known(subject, operation) : null;
    }

    @Override
    public boolean remembers() {
        return next.remembers();
    }

    /** Returns the next ledger's own future wherever that makes a call, except for resets, so that cancelling it reaches that ledger. */
    @Override
    public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
        Key key = new Key(scope, subject);
        PrefetchedPermits permits = prefetching.of(key);
        if (operation instanceof Operation.Reset) {
            return reset(key, permits);
        }
        boolean single = operation.equals(Operation.ONE);
        if (permits == null) {
            return single && suitable ? ask(key) : next.applyAsync(subject, operation);
        }
        Decision ready = single ? permits.take(this, prefetching.nanos.getAsLong()) : null;
        if (ready == null) {
            ready = next.known(subject, operation);
        }
        if (ready != null) {
            return CompletableFuture.completedFuture(ready);
        }
        CompletableFuture<Decision> answer = next.applyAsync(subject, operation);
        answer.whenComplete((decision, failure) -> permits.noteRemaining(this, decision));
        return answer;
    }

    private CompletableFuture<Decision> ask(Key key) {
        CompletableFuture<Decision> answer = next.applyAsync(key.subject(), Operation.ONE);
        if (prefetching.isBusy(key)) {
            answer.whenComplete((decision, failure) -> {
                if (decision instanceof Decision.Allowed granted) {
                    prefetching.begin(key, this, granted.remaining());
                }
            });
        }
        return answer;
    }

    /** Ends the permits twice: before the reset, and after it those that were prefetched while the reset waited for its turn. */
    private CompletableFuture<Decision> reset(Key key, @Nullable PrefetchedPermits before) {
        end(before);
        return next.applyAsync(key.subject(), Operation.RESET)
                .whenComplete((decision, failure) -> end(prefetching.of(key)));
    }

    private void end(@Nullable PrefetchedPermits permits) {
        if (permits != null) {
            permits.close(this);
        }
    }
}
