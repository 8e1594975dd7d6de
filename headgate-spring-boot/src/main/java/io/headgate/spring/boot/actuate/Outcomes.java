package io.headgate.spring.boot.actuate;

import io.headgate.Decision;
import java.util.List;

/** The outcomes of decisions, as metrics and the denial log call them. */
final class Outcomes {

    /** The outcomes under a rule that is enforced. */
    static final List<String> ENFORCED =
            List.of("allowed", "denied", "impossible", "degraded-allowed", "degraded-denied", "unavailable");

    /** The outcomes under a shadow rule. */
    static final List<String> SHADOW = List.of("shadow-allowed", "shadow-denied");

    private Outcomes() {}

    static String of(Decision decision, boolean enforced) {
        if (!enforced) {
            return decision.allowed() ? "shadow-allowed" : "shadow-denied";
        }
        if (decision instanceof Decision.Unavailable) {
            return "unavailable";
        }
        if (decision.degraded()) {
            return decision.allowed() ? "degraded-allowed" : "degraded-denied";
        }
        if (decision instanceof Decision.Allowed) {
            return "allowed";
        }
        return decision instanceof Decision.Denied ? "denied" : "impossible";
    }
}
