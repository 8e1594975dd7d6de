package io.headgate.http.rule;

import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.http.BoundRule;
import io.headgate.http.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds limits that were kept but whose position in the plan has changed with new rules. A limit without a name is identified by its
 * position, so permits spent under one limit now count as spent under another.
 */
final class MovedLimits {

    private MovedLimits() {}

    /** A warning for each such limit. */
    static List<String> between(RuleSet before, RuleSet after) {
        Map<String, Plan> earlier = new HashMap<>();
        before.boundRules().forEach(rule -> earlier.put(rule.name(), rule.plan()));
        List<String> warnings = new ArrayList<>();
        for (BoundRule rule : after.boundRules()) {
            Plan was = earlier.get(rule.name());
            if (was != null) {
                of(was, rule.plan())
                        .forEach(what -> warnings.add("rule '" + rule.name() + "': " + what
                                + "; to keep its budget when limits move, give a limit a name: \"3/s named spikes\""));
            }
        }
        return warnings;
    }

    private static List<String> of(Plan before, Plan after) {
        List<String> moved = new ArrayList<>();
        for (int i = 0; i < after.limits().size(); i++) {
            Limit limit = after.limits().get(i);
            int then = before.ids().indexOf(after.ids().get(i));
            if (before.limits().stream().noneMatch(each -> isLike(limit, each))) {
                continue;
            }
            if (then < 0) {
                moved.add(limit.text() + " has moved to a new position and starts with a full budget");
            } else if (!isLike(limit, before.limits().get(then))) {
                moved.add(limit.text() + " has moved to the position of "
                        + before.limits().get(then).text() + " and takes over what was spent there");
            }
        }
        return moved;
    }

    /** Whether a person would see the two as the same limit: only the permits and the burst may differ. */
    private static boolean isLike(Limit one, Limit other) {
        return one.name() == null
                && other.name() == null
                && one.algorithm().equals(other.algorithm())
                && one.window().equals(other.window());
    }
}
