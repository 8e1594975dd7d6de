package io.headgate.spring.method;

import io.headgate.http.BoundRule;
import io.headgate.http.CostResolver;
import io.headgate.http.Explanation.Finding;
import io.headgate.http.PlanResolver;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Subjects;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A reference from an annotation to a rule by its name.
 *
 * @param onRequest whether the limit is checked on the request
 * @param who the subjects that the annotation limits
 * @param cost the cost that the annotation specifies; {@code null} to use that of the rule
 */
record NamedRule(
        String name,
        boolean onRequest,
        Subjects who,
        @Nullable CostResolver cost) {

    /**
     * The bound rule of the rule in this rule set; {@code null} if the rule is off.
     *
     * @throws IllegalArgumentException if there is no such rule, or the annotation cannot use it
     */
    @Nullable
    BoundRule in(RuleSet rules, LimitReader reader) {
        Rule rule = written(rules)
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("no rule is called '" + name + "'; there are " + all(rules)));
        check(rule);
        return rules.boundRules().stream()
                .filter(each -> each.rule().name().equals(name))
                .findFirst()
                .map(point -> onRequest && cost == null ? point : changed(point, reader))
                .orElse(null);
    }

    private void check(Rule rule) {
        if (!onRequest && cost == null && rule.costResolver() != null) {
            throw new IllegalArgumentException("rule '" + name + "' uses the cost resolver '" + rule.costResolver()
                    + "', which works on requests and not on method calls; give the annotation a cost");
        }
    }

    private BoundRule changed(BoundRule point, LimitReader reader) {
        String resolver = point.rule().planResolver();
        PlanResolver plans = resolver == null ? null : reader.plans().get(resolver);
        if (resolver != null && plans == null) {
            throw new IllegalArgumentException(
                    "rule '" + name + "' uses the plan resolver '" + resolver + "', but there is no bean of that name");
        }
        return new BoundRule(point.rule(), point.limiter().plan(), who, cost, plans, reader.limiters(), reader.time());
    }

    /** The names of all rules, including those that are off. */
    static List<String> all(RuleSet rules) {
        return written(rules).map(Rule::name).toList();
    }

    private static Stream<Rule> written(RuleSet rules) {
        return rules.explain("GET", "/").findings().stream().map(Finding::rule);
    }
}
