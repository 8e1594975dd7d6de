package io.headgate.http;

import io.headgate.Plan;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

/** Says which limits hold for a subject where they differ: free and paid, or each API key its own. */
@FunctionalInterface
public interface PlanResolver {

    /** The plan of that subject; empty for the plan of the rule. The answer is remembered for a while. */
    CompletableFuture<Optional<Plan>> plan(Subject.Present subject);

    /** A resolver that knows the answer at once. */
    static PlanResolver of(Function<Subject.Present, Optional<Plan>> plans) {
        return subject -> CompletableFuture.completedFuture(plans.apply(subject));
    }
}
