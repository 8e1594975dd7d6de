package io.headgate.spring.method;

import io.headgate.http.BoundRule;
import io.headgate.http.CostResolver;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Subject;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A reference from an annotation to a rule by its name.
 *
 * @param key identifies the subject of a call; {@code null} if the limit is checked on the request, for the subject of the rule
 * @param cost the cost that the annotation specifies; {@code null} to use that of the rule
 */
record NamedRule(
        String name,
        @Nullable Function<InvocationView, Subject> key,
        @Nullable CostResolver cost) {

    /**
     * The rule of that name in this rule set, bound to the key and the cost; {@code null} if the rule is off.
     *
     * @throws IllegalArgumentException if there is no such rule, or the annotation cannot use it
     */
    @Nullable
    BoundRule in(RuleSet rules) {
        Rule rule = rules.rule(name);
        if (rule == null) {
            throw new IllegalArgumentException("no rule is called '" + name + "'; there are " + names(rules));
        }
        if (key != null && cost == null && rule.costResolver() != null) {
            throw new IllegalArgumentException("rule '" + name + "' uses the cost resolver '" + rule.costResolver()
                    + "', which works on requests and not on method calls; give the annotation a cost");
        }
        BoundRule bound = rules.boundRule(name);
        return bound == null ? null : changed(bound);
    }

    private BoundRule changed(BoundRule rule) {
        BoundRule changed = key == null ? rule : rule.withSubject(CallSubject.under(rule, key));
        return cost == null ? changed : changed.withCost(cost);
    }

    /** The names of all rules, including those that are off. */
    static List<String> names(RuleSet rules) {
        return rules.rules().stream().map(Rule::name).toList();
    }
}
