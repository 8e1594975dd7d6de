package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.http.Rule;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * A rule as it is written in YAML. Its properties are those of {@link Rule}.
 *
 * @param name Name of the rule, such as api, also in headers and metrics; it identifies the budget.
 * @param path Ant patterns of the requests that the rule matches, such as /api/**; if empty, only methods use its limits.
 * @param exclude Ant patterns of requests that the rule does not match after all.
 * @param methods HTTP methods that the rule matches, such as POST; all, if empty.
 * @param priority The rule with the highest priority wins; among equals, the one with the most specific path.
 * @param subject Who is limited: ip, api-key, header:NAME, bearer, principal, route, global, the name of a SubjectResolver bean, or a
 *     combination such as principal + route; of a list, the first that is present.
 * @param limits Limits such as "100/min burst 20"; all limits of a list apply.
 * @param algorithm Algorithm of every limit that names none: token-bucket, sliding-window, sliding-window-log, sliding-window-counter,
 *     fixed-window, leaky-bucket, or the id of an Algorithm bean.
 * @param cost Number of permits that a request takes.
 * @param costResolver Name of the CostResolver bean that computes the cost instead.
 * @param planResolver Name of the PlanResolver bean that chooses the limits of a subject.
 * @param missing What happens to a request without the subject: fall-back (limited by address), skip or deny.
 * @param match Whether the rule competes with other rules for a request (first) or applies in addition to them (all).
 * @param behavior Whether the rule is enforced (enforce), decides and reports but denies nothing (shadow), or is disabled (off).
 * @param bypass Addresses, blocks of addresses and subjects that are never limited.
 * @param onStoreFailure What happens to a request when the store cannot answer: open, closed or local; by default that of the
 *     application.
 * @param stage Whether the rule applies before Spring Security (filter) or right before the handler (handler).
 */
public record RuleProperties(
        @DefaultValue("") String name,
        @DefaultValue List<String> path,
        @DefaultValue List<String> exclude,
        @DefaultValue List<String> methods,
        @DefaultValue("0") int priority,
        @DefaultValue("ip") List<String> subject,
        @DefaultValue List<String> limits,
        @Nullable String algorithm,
        @DefaultValue("1") long cost,
        @Nullable String costResolver,
        @Nullable String planResolver,
        @DefaultValue("fall-back") Rule.Missing missing,
        @DefaultValue("first") Rule.Match match,
        @DefaultValue("enforce") Rule.Behavior behavior,
        @DefaultValue List<String> bypass,
        @Nullable FailurePolicy onStoreFailure,
        @DefaultValue("handler") Rule.Stage stage) {

    /** The rule, with the application's failure policy if it has none of its own. */
    Rule rule(FailurePolicy usual) {
        return new Rule(
                name,
                path,
                exclude,
                methods,
                priority,
                subject,
                limits,
                algorithm,
                cost,
                costResolver,
                planResolver,
                missing,
                match,
                behavior,
                bypass,
                onStoreFailure != null ? onStoreFailure : usual,
                stage);
    }

    /** As the rule, without the bypass, which may hold secrets. */
    @Override
    public String toString() {
        return rule(FailurePolicy.LOCAL).toString();
    }
}
