package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.script.Backend;
import io.headgate.redis.script.BoundScript;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A backend that a test gives as one function for all plans. */
interface PlanBackend extends Backend {

    CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations);

    default CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations, long sinceNanos) {
        return run(key, plan, operations);
    }

    default boolean isOneCall(Plan plan) {
        return true;
    }

    @Override
    default BoundScript bind(Plan plan) {
        boolean oneCall = isOneCall(plan);
        return new BoundScript() {
            @Override
            public Plan plan() {
                return plan;
            }

            @Override
            public boolean isOneCall() {
                return oneCall;
            }

            @Override
            public CompletableFuture<List<Decision>> run(Key key, List<Operation> operations, long sinceNanos) {
                return PlanBackend.this.run(key, plan, operations, sinceNanos);
            }
        };
    }
}
