package io.headgate.http;

import io.headgate.Plan;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Determines the plan of a subject where plans differ: free and paid, or one for each API key.
 *
 * <p>An answer is kept for the subject for a minute, and a failure for a second. What a resolver reads of the request must therefore
 * belong to the subject, such as a role of the user. If it does not, the resolver must be asked {@linkplain #forEveryRequest for every
 * request}.
 */
@FunctionalInterface
public interface PlanResolver {

    /**
     * The plan of that subject; empty for the plan of the rule. Must not block.
     *
     * @param request the request that is checked. Without headers, path and so on where there is none: for a call of a method that
     *     does not handle requests, and when somebody looks at the budget of the subject
     */
    CompletableFuture<Optional<Plan>> plan(Subject.Present subject, RequestView request);

    /** Whether it is asked for every request, and its answer is not kept. */
    default boolean forEveryRequest() {
        return false;
    }

    /** Whether it may call {@link RequestView#principal}. If not, adapters skip the lookup of the principal where it is expensive. */
    default boolean needsPrincipal() {
        return true;
    }

    /** A resolver that answers synchronously, by the subject alone. */
    static PlanResolver of(Function<Subject.Present, Optional<Plan>> plans) {
        return new PlanResolver() {
            @Override
            public CompletableFuture<Optional<Plan>> plan(Subject.Present subject, RequestView request) {
                return CompletableFuture.completedFuture(plans.apply(subject));
            }

            @Override
            public boolean needsPrincipal() {
                return false;
            }
        };
    }

    /** A resolver that answers synchronously and is asked for every request. */
    static PlanResolver forEveryRequest(BiFunction<Subject.Present, RequestView, Optional<Plan>> plans) {
        return new PlanResolver() {
            @Override
            public CompletableFuture<Optional<Plan>> plan(Subject.Present subject, RequestView request) {
                return CompletableFuture.completedFuture(plans.apply(subject, request));
            }

            @Override
            public boolean forEveryRequest() {
                return true;
            }
        };
    }
}
