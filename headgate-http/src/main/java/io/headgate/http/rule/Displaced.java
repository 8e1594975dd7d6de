package io.headgate.http.rule;

import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.http.Checkpoint;
import io.headgate.http.RuleSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Limits that are as they were, but have lost their place to another when the rules changed. Limits without a name go by their
 * place, so what was spent under them is now spent under the other.
 */
final class Displaced {

    private Displaced() {}

    /** A warning for each. */
    static List<String> between(RuleSet before, RuleSet after) {
        Map<String, Plan> earlier = new HashMap<>();
        before.checkpoints().forEach(point -> earlier.put(point.rule().name(), plan(point)));
        List<String> warnings = new ArrayList<>();
        for (Checkpoint point : after.checkpoints()) {
            Plan was = earlier.get(point.rule().name());
            if (was != null) {
                of(was, plan(point))
                        .forEach(what -> warnings.add("rule '" + point.rule().name() + "': " + what
                                + "; limits go by their place unless they have a name: \"3/s named spikes\""));
            }
        }
        return warnings;
    }

    private static Plan plan(Checkpoint point) {
        return point.limiter().plan();
    }

    private static List<String> of(Plan before, Plan after) {
        List<String> displaced = new ArrayList<>();
        for (int i = 0; i < after.limits().size(); i++) {
            Limit limit = after.limits().get(i);
            int then = before.ids().indexOf(after.ids().get(i));
            if (before.limits().stream().noneMatch(each -> isLike(limit, each))) {
                continue;
            }
            if (then < 0) {
                displaced.add(limit.text() + " has lost its place to another limit and starts afresh");
            } else if (!isLike(limit, before.limits().get(then))) {
                displaced.add(limit.text() + " has taken the place of "
                        + before.limits().get(then).text() + " and what was spent there");
            }
        }
        return displaced;
    }

    /** Whether somebody would take the one for the other: N and burst may have changed. */
    private static boolean isLike(Limit one, Limit other) {
        return one.name() == null
                && other.name() == null
                && one.algorithm().equals(other.algorithm())
                && one.window().equals(other.window());
    }
}
