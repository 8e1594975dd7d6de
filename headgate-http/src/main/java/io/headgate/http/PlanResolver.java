package io.headgate.http;

import io.headgate.Plan;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Determines the plan of a subject where plans differ: free and paid, or one for each API key. */
@FunctionalInterface
public interface PlanResolver {

    /** The plan of that subject; empty for the plan of the rule. The answer is cached for a minute, a failure for a second. */
    CompletableFuture<Optional<Plan>> plan(Subject.Present subject);

    /** A resolver that answers synchronously. */
    static PlanResolver of(Function<Subject.Present, Optional<Plan>> plans) {
        return subject -> CompletableFuture.completedFuture(plans.apply(subject));
    }
}
