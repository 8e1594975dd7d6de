package io.headgate.spring.method;

import io.headgate.http.Checkpoint;
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
 * The rule that an annotation names.
 *
 * @param onRequest whether it is checked on the request
 * @param who whom the annotation limits
 * @param cost what the annotation says a call takes; {@code null} for what the rule says
 */
record NamedRule(
        String name,
        boolean onRequest,
        Subjects who,
        @Nullable CostResolver cost) {

    /**
     * Where it is checked under these rules; {@code null} if it is off.
     *
     * @throws IllegalArgumentException if there is no such rule, or it cannot be used here
     */
    @Nullable
    Checkpoint in(RuleSet rules, LimitReader reader) {
        Rule rule = written(rules)
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException("no rule is called '" + name + "'; there are " + all(rules)));
        check(rule);
        return rules.checkpoints().stream()
                .filter(each -> each.rule().name().equals(name))
                .findFirst()
                .map(point -> onRequest && cost == null ? point : changed(point, reader))
                .orElse(null);
    }

    private void check(Rule rule) {
        if (!onRequest && cost == null && rule.costResolver() != null) {
            throw new IllegalArgumentException("rule '" + name + "' asks the cost resolver '" + rule.costResolver()
                    + "', which looks at requests and not at calls; give the annotation a cost");
        }
    }

    private Checkpoint changed(Checkpoint point, LimitReader reader) {
        String resolver = point.rule().planResolver();
        PlanResolver plans = resolver == null ? null : reader.plans().get(resolver);
        if (resolver != null && plans == null) {
            throw new IllegalArgumentException(
                    "rule '" + name + "' asks the plan resolver '" + resolver + "', which is no bean");
        }
        return new Checkpoint(point.rule(), point.limiter().plan(), who, cost, plans, reader.limiters(), reader.time());
    }

    /** The names of all rules, those that are off too. */
    static List<String> all(RuleSet rules) {
        return written(rules).map(Rule::name).toList();
    }

    private static Stream<Rule> written(RuleSet rules) {
        return rules.explain("GET", "/").findings().stream().map(Finding::rule);
    }
}
