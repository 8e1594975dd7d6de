package io.headgate.spring.boot.actuate;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.StoreException;
import io.headgate.http.BoundRule;
import io.headgate.http.Explanation;
import io.headgate.http.Rule;
import io.headgate.http.Subjects;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.RuleStore;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.Selector.Match;

/**
 * The endpoint {@code ratelimits}. It shows the rules in force, explains which rules apply to a request and why, shows the budget of a
 * subject, and resets it, for which access must be unrestricted. It lists no keys: the caller must know the subject. In {@code bypass} it
 * hides all entries but addresses, since an API key is a secret.
 */
// Two annotations make a parameter optional: the actuator of Spring Boot 3 reads Spring's, the processor of metadata
// JSpecify's.
@SuppressWarnings("deprecation")
@Endpoint(id = "ratelimits", defaultAccess = Access.READ_ONLY)
public final class RateLimitsEndpoint {

    private static final String HIDDEN = "******";

    private final RuleStore rules;
    private final AnnotatedLimits annotations;
    private final Budgets budgets;

    public RateLimitsEndpoint(RuleStore rules, AnnotatedLimits annotations, Subjects subjects) {
        this.rules = rules;
        this.annotations = annotations;
        this.budgets = new Budgets(rules, annotations, subjects);
    }

    /** The rules and annotations in force; or, given a path and optionally a method, which rules apply to such a request and why. */
    @ReadOperation
    public Object rules(
            @org.springframework.lang.Nullable @Nullable String method,
            @org.springframework.lang.Nullable @Nullable String path) {
        if (path != null) {
            return shown(rules.get().explain(method == null ? "GET" : method, path));
        }
        List<Rule> all = rules.get().rules().stream()
                .filter(rule -> rule.behavior() != Rule.Behavior.OFF)
                .map(RateLimitsEndpoint::shown)
                .toList();
        return new InForce(
                all,
                annotations.all().stream().map(AnnotatedMethod::of).toList(),
                rules.get().warnings());
    }

    private static Explanation shown(Explanation explanation) {
        return new Explanation(
                explanation.method(),
                explanation.path(),
                explanation.findings().stream()
                        .map(each ->
                                new Explanation.Finding(shown(each.rule()), each.role(), each.pattern(), each.why()))
                        .toList());
    }

    private static Rule shown(Rule rule) {
        return rule.toBuilder()
                .bypass(rule.bypass().stream()
                        .map(entry -> StandardSubjects.isAddress(entry) ? entry : HIDDEN)
                        .toArray(String[]::new))
                .build();
    }

    /**
     * The budget of a subject under a rule or an annotation, read without spending anything:
     * {@code /ratelimits/login?kind=ip&subject=10.0.0.1}.
     *
     * @param rule the name of the rule or of the annotation's budget, split at its slashes, because servers reject encoded slashes
     * @param kind the kind of the subject, as rules write it; optional if the rule has only one
     * @throws StoreException if the store does not answer and the failure policy is {@code closed}, or the plan is not known
     */
    @ReadOperation
    public @Nullable Standing standing(
            @Selector(match = Match.ALL_REMAINING) String[] rule,
            @org.springframework.lang.Nullable String kind,
            @org.springframework.lang.Nullable String subject) {
        Budgets.Budget budget = budget(rule, kind, subject);
        if (budget == null) {
            return null;
        }
        Decision decision = budget.limiter().peek(budget.somebody().text());
        if (decision instanceof Decision.Unavailable unknown) {
            throw unknown.cause();
        }
        return Standing.of(decision);
    }

    /**
     * Gives a subject its full budget back.
     *
     * @return the name of the rule, since JMX cannot show a boolean; {@code null} if there is no such rule or annotation
     * @throws StoreException if the store does not answer and the budget is not reset
     */
    @DeleteOperation
    public @Nullable String reset(
            @Selector(match = Match.ALL_REMAINING) String[] rule,
            @org.springframework.lang.Nullable String kind,
            @org.springframework.lang.Nullable String subject) {
        Budgets.Budget budget = budget(rule, kind, subject);
        if (budget == null) {
            return null;
        }
        budget.limiter().reset(budget.somebody().text());
        return budget.rule().name();
    }

    /**
     * Also tries the name with a leading slash, which a path cannot tell from the separator before it, and joined by commas, at which
     * JMX splits it.
     */
    private Budgets.@Nullable Budget budget(String[] rule, @Nullable String kind, @Nullable String subject) {
        String name = String.join("/", rule);
        for (String each : List.of(name, "/" + name, String.join(",", rule))) {
            Budgets.Budget budget = budgets.find(each, kind, subject);
            if (budget != null) {
                return budget;
            }
        }
        return null;
    }

    /** The names that this endpoint can be asked about, in order. */
    List<String> names() {
        return Stream.concat(
                        rules.get().boundRules().stream(),
                        annotations.all().stream().map(AnnotatedLimits.Annotated::rule))
                .map(BoundRule::name)
                .distinct()
                .sorted()
                .toList();
    }

    /** The rules and annotations, and warnings about rules that are probably mistakes. */
    public record InForce(List<Rule> rules, List<AnnotatedMethod> annotations, List<String> warnings) {

        public InForce {
            rules = List.copyOf(rules);
            annotations = List.copyOf(annotations);
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * A limit that an annotation puts on a method.
     *
     * @param name the name of its budget, for use with this endpoint
     * @param key the expression for the subject; {@code null} if there is none
     */
    public record AnnotatedMethod(
            String method,
            String name,
            List<String> limits,
            @Nullable String key) {

        static AnnotatedMethod of(AnnotatedLimits.Annotated annotated) {
            return new AnnotatedMethod(
                    annotated.method(),
                    annotated.rule().name(),
                    annotated.rule().plan().limits().stream()
                            .map(Limit::toString)
                            .toList(),
                    annotated.key().isEmpty() ? null : annotated.key());
        }
    }

    /**
     * The budget of a subject.
     *
     * @param retryAfter how long until the next request is allowed; {@code null} if it is now, or never will be
     * @param limit the limit that decides, as rules write it
     * @param degraded whether the store did not answer, so that this is the decision of the process without it
     */
    public record Standing(
            boolean allowed,
            long remaining,
            @Nullable String retryAfter,
            String resetAfter,
            String limit,
            String algorithm,
            boolean degraded) {

        static Standing of(Decision decision) {
            return new Standing(
                    decision.allowed(),
                    decision.remaining(),
                    decision instanceof Decision.Denied denied
                            ? denied.retryAfter().toString()
                            : null,
                    decision.resetAfter().toString(),
                    decision.limit().written(),
                    decision.limit().algorithm(),
                    decision.degraded());
        }
    }
}
