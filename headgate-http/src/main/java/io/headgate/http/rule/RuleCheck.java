package io.headgate.http.rule;

import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Spelling;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleValidation;
import io.headgate.http.Subjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Checks one rule by itself and collects everything that is wrong with it. */
final class RuleCheck {

    /** Subjects that are unknown before authentication or before a handler is found. */
    private static final List<String> KNOWN_LATER = List.of("principal", "route");

    /** The methods of RFC 9110 and RFC 5789. Any other method in a rule may be valid, such as those of WebDAV, or misspelt. */
    private static final Set<String> METHODS =
            Set.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT");

    private final Rule rule;
    private final List<String> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private @Nullable Plan plan;

    /**
     * Checks what can be judged without knowing the subjects, resolvers and algorithms of the application.
     *
     * @param usualAlgorithm the algorithm of a limit that leaves the choice open
     */
    RuleCheck(Rule rule, String usualAlgorithm) {
        this.rule = rule;
        name();
        filledIn();
        patterns();
        methods();
        limits(usualAlgorithm);
        cost();
        stage();
    }

    /** Checks the rest: the names that the rule uses for parts of the application, and whether its plan can be applied. */
    void against(Subjects subjects, LedgerFactory limiters, Set<String> costResolvers, Set<String> planResolvers) {
        if (plan != null) {
            attempt(() -> limiters.bind(rule.name(), plan(), rule.onStoreFailure()));
        }
        known("cost resolver", rule.costResolver(), costResolvers);
        known("plan resolver", rule.planResolver(), planResolvers);
        if (rule.subject().isEmpty()) {
            attempt(() -> subjects.resolver(rule.subject(), rule.missing()));
        }
        rule.subject().stream()
                .filter(RuleCheck::isFilledIn)
                .forEach(words -> attempt(() -> subjects.resolver(List.of(words), rule.missing())));
        if (rule.subject().stream().allMatch(RuleCheck::isFilledIn)) {
            rule.bypass().forEach(entry -> attempt(() -> subjects.bypass(List.of(entry), rule.subject())));
        }
    }

    List<String> problems() {
        return problems;
    }

    /** Warnings about settings that are valid but probably not intended. */
    List<String> warnings() {
        return warnings;
    }

    /** The plan of the rule; only if the rule has no problems. */
    Plan plan() {
        if (plan == null) {
            throw new IllegalStateException("rule '" + rule.name() + "' has problems");
        }
        return plan;
    }

    private void name() {
        if (rule.name().isBlank()) {
            problem("needs a name, such as api: it identifies the budget");
        } else if (!RuleValidation.isName(rule.name())) {
            problem(RuleValidation.NAME);
        }
    }

    /**
     * Rejects unresolved placeholders: taken literally, such a path would match no request, such a bypass would be a value that any
     * client can send, and such a name would only be called unknown.
     */
    private void filledIn() {
        filledIn("name", List.of(rule.name()), "api");
        filledIn("path", rule.paths(), "/api/**");
        filledIn("exclude", rule.exclude(), "/api/health");
        filledIn("methods", rule.methods(), "POST");
        filledIn("subject", rule.subject(), "api-key");
        filledIn("limits", rule.limits(), "100/min");
        filledIn("algorithm", rule.algorithm(), "sliding-window");
        filledIn("cost-resolver", rule.costResolver(), "uploadCosts");
        filledIn("plan-resolver", rule.planResolver(), "customerPlans");
        filledIn("bypass", rule.bypass(), "10.0.0.0/8");
    }

    private void filledIn(String property, @Nullable String text, String example) {
        filledIn(property, text == null ? List.of() : List.of(text), example);
    }

    private void filledIn(String property, List<String> texts, String example) {
        texts.stream()
                .filter(UnresolvedPlaceholder::in)
                .forEach(text ->
                        problem(property + " '" + text + "' " + UnresolvedPlaceholder.problemOfRule(text, example)));
    }

    private static boolean isFilledIn(@Nullable String text) {
        return text == null || !UnresolvedPlaceholder.in(text);
    }

    private void patterns() {
        if (rule.paths().isEmpty()) {
            withoutPath();
        }
        rule.paths().forEach(path -> attempt(() -> AntPattern.parse(path)));
        rule.exclude().forEach(path -> attempt(() -> AntPattern.parse(path)));
    }

    /** A rule without a path matches no request. Settings that choose requests are a sign that the path was forgotten. */
    private void withoutPath() {
        meansRequests("exclude", !rule.exclude().isEmpty());
        meansRequests("methods", !rule.methods().isEmpty());
        meansRequests("priority", rule.priority() != 0);
        meansRequests("match: all", rule.match() == Rule.Match.ALL);
        meansRequests("stage: filter", rule.stage() == Rule.Stage.FILTER);
    }

    private void meansRequests(String setting, boolean said) {
        if (said) {
            problem("has " + setting + " but no path; add a path such as /api/**, or remove " + setting
                    + " if the rule is for methods only");
        }
    }

    private void methods() {
        for (String method : rule.methods()) {
            if (!isFilledIn(method)) {
                continue;
            }
            if (method.isEmpty() || !method.chars().allMatch(c -> Character.isLetter(c) || c == '-' || c == '_')) {
                problem("'" + method + "' is not an HTTP method, such as GET");
            } else if (!METHODS.contains(method.toUpperCase(Locale.ROOT))) {
                warnings.add("rule '" + rule.name() + "' has the method " + method
                        + ", which is not a standard HTTP method; if it is misspelt, it matches no request"
                        + Spelling.hint(method, METHODS));
            }
        }
    }

    private void limits(String usualAlgorithm) {
        if (rule.limits().isEmpty()) {
            problem("needs a limit, such as 100/min");
            return;
        }
        String algorithm = isFilledIn(rule.algorithm()) ? rule.algorithm() : null;
        List<Limit> limits = new ArrayList<>();
        for (String text : rule.limits()) {
            if (isFilledIn(text)) {
                attempt(() -> limits.add(Limit.parse(text, algorithm, usualAlgorithm)));
            }
        }
        if (limits.size() == rule.limits().size()) {
            attempt(() -> plan = new Plan(limits));
        }
        if (rule.planResolver() == null) {
            limits.stream().filter(limit -> limit.permits() == 0).forEach(this::warnOfNothing);
        }
    }

    private void warnOfNothing(Limit limit) {
        warnings.add("rule '" + rule.name() + "' denies every request that it matches, because its limit is "
                + limit.text() + "; if that is not intended, write a limit such as 100/min");
    }

    private void cost() {
        attempt(() -> RuleValidation.checkCost(rule.cost()));
        if (plan != null && rule.costResolver() == null) {
            plan.limits().forEach(limit -> attempt(() -> RuleValidation.checkGranted(rule.cost(), limit)));
        }
    }

    private void known(String what, @Nullable String name, Set<String> known) {
        if (name != null && isFilledIn(name) && !known.contains(name)) {
            problem("no " + what + " is called '" + name + "'; there are " + new TreeSet<>(known)
                    + Spelling.hint(name, known));
        }
    }

    private void stage() {
        if (rule.stage() != Rule.Stage.FILTER) {
            return;
        }
        for (String words : rule.subject()) {
            for (String word : words.split("\\+", -1)) {
                if (KNOWN_LATER.contains(word.trim())) {
                    problem("subject '" + word.trim() + "' is not known yet in the filter stage; use stage handler");
                }
            }
        }
    }

    private void attempt(Runnable step) {
        try {
            step.run();
        } catch (IllegalArgumentException e) {
            problem(String.valueOf(e.getMessage()));
        }
    }

    private void problem(String what) {
        problems.add("rule '" + rule.name() + "': " + what);
    }
}
