package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.List;

/** What is said where a limiter has not decided. */
final class NoDecision {

    /** When to try again if nobody said. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private NoDecision() {}

    /** What the policy of the rule says after a failure. Whoever limits in process does so before it comes to this. */
    static Decision after(RuntimeException failure, Checkpoint checkpoint) {
        Limit limit = checkpoint.limiter().plan().limits().get(0);
        if (checkpoint.rule().onStoreFailure() == FailurePolicy.OPEN) {
            return Decision.Allowed.of(limit, "", 1, limit.burst(), 0, 0, null).asDegraded();
        }
        StoreException cause =
                failure instanceof StoreException known ? known : new StoreException("no decision was made", failure);
        return new Decision.Unavailable(limit, SOON, cause);
    }

    /** The rule refuses requests without a subject; waiting does not help them. */
    static Decision aboutNobody(Checkpoint checkpoint) {
        List<Standing> standings = checkpoint.limiter().plan().limits().stream()
                .map(limit -> new Standing(limit, 0, Standing.NEVER, 0, Standing.NEVER))
                .toList();
        return new Decision.Impossible(standings.get(0).limit(), 0, 0, standings);
    }
}
