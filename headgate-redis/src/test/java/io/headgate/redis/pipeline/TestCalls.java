package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Calls that a test answers, by one function for all plans. */
interface TestCalls {

    CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations);

    default CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations, long sinceNanos) {
        return run(key, plan, operations);
    }

    default boolean isOneCall(Plan plan) {
        return true;
    }

    default PlanCalls of(Plan plan) {
        return new PlanCalls(
                plan, isOneCall(plan), (key, operations, sinceNanos) -> run(key, plan, operations, sinceNanos));
    }
}
