package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Standing;
import io.headgate.StoreException;
import io.headgate.engine.Grant;
import java.time.Duration;
import java.util.List;

/** Decisions for requests that no limiter has decided on. */
final class NoDecision {

    /** When a client may retry if the failure does not say. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private NoDecision() {}

    /**
     * The decision after a failure, by the failure policy of the rule: {@code OPEN} allows the request, the other policies make it
     * {@link Decision.Unavailable}. {@code LOCAL} gets here only if limiting in process was not possible either.
     */
    static Decision after(RuntimeException failure, BoundRule boundRule) {
        Limit limit = boundRule.limiter().plan().limits().get(0);
        if (boundRule.rule().onStoreFailure() == FailurePolicy.OPEN) {
            return Grant.of(limit, "", 1, limit.burst(), 0, 0, null).asDegraded();
        }
        StoreException cause =
                failure instanceof StoreException known ? known : new StoreException("no decision was made", failure);
        return new Decision.Unavailable(limit, SOON, cause);
    }

    /** The decision for a request without a subject under a rule that denies such requests; waiting does not help. */
    static Decision aboutNobody(Plan plan) {
        List<Standing> standings = plan.limits().stream()
                .map(limit -> new Standing(limit, 0, Standing.NEVER, 0, Standing.NEVER))
                .toList();
        return new Decision.Impossible(standings.get(0).limit(), 0, 0, standings);
    }
}
