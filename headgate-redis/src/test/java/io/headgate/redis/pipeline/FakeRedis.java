package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.redis.Reference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * A Redis in process whose time and network stand still until they are moved. Calls are answered at once unless they are
 * held; a held call is first carried out and later answered, each when told.
 */
final class FakeRedis implements TestCalls {

    /** The operations of each call so far. */
    final List<List<Operation>> calls = new ArrayList<>();

    /** Calls that were not carried out, and calls that were and are not answered, in order. */
    final Deque<Call> sent = new ArrayDeque<>();

    final Deque<Call> done = new ArrayDeque<>();

    boolean holds;

    private final Map<Key, Reference> keys = new HashMap<>();
    private long nanos = 1_700_000_000_000_000_123L;

    static final class Call {

        final Key key;
        final Plan plan;
        final List<Operation> operations;
        final CompletableFuture<List<Decision>> answer = new CompletableFuture<>();
        List<Decision> decisions;

        Call(Key key, Plan plan, List<Operation> operations) {
            this.key = key;
            this.plan = plan;
            this.operations = operations;
        }
    }

    long nanos() {
        return nanos;
    }

    long nowMicros() {
        return nanos / 1_000;
    }

    void advanceMicros(long micros) {
        advanceNanos(micros * 1_000);
    }

    void advanceNanos(long by) {
        nanos += by;
    }

    /** What another client would be answered now. */
    Decision apply(Key key, Plan plan, Operation operation) {
        return keys.computeIfAbsent(key, missing -> new Reference()).apply(plan, operation, nowMicros());
    }

    /** A ledger that avoids no calls. */
    Ledger ledger(String scope, Plan plan) {
        return of(plan).separately(scope, this::nanos);
    }

    @Override
    public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
        Call call = new Call(key, plan, operations);
        calls.add(operations);
        sent.add(call);
        if (!holds) {
            carryOut();
            answer();
        }
        return call.answer;
    }

    /** Carries out the call that was sent first. */
    void carryOut() {
        Call call = sent.remove();
        call.decisions = call.operations.stream()
                .map(operation -> apply(call.key, call.plan, operation))
                .toList();
        done.add(call);
    }

    /** Answers the call that was carried out first. */
    void answer() {
        Call call = done.remove();
        call.answer.complete(call.decisions);
    }

    /** Carries out and answers the call that was sent first. */
    void carryOutAndAnswer() {
        carryOut();
        answer();
    }

    /** Carries out and answers whatever is under way, and what is sent then, until nothing is. */
    void settle() {
        while (!done.isEmpty()) {
            answer();
        }
        while (!sent.isEmpty()) {
            carryOutAndAnswer();
        }
    }

    /** Fails the call that was sent first, which is not carried out. */
    void fail(String why) {
        sent.remove().answer.completeExceptionally(new StoreException(why));
    }
}
