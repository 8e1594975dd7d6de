package io.headgate.http.rule;

import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.TimeSource;
import io.headgate.http.BoundRule;
import io.headgate.http.CostResolver;
import io.headgate.http.InvalidRulesException;
import io.headgate.http.LedgerFactory;
import io.headgate.http.PlanResolver;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Subjects;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Compiles rules into a {@link RuleSet}, or reports everything that is wrong with them. */
public final class RuleCompiler {

    private final Subjects subjects;
    private final LedgerFactory limiters;
    private final TimeSource time;
    private final Map<String, CostResolver> costs;
    private final Map<String, PlanResolver> plans;
    private final boolean ignoreCase;
    private final String usualAlgorithm;

    /**
     * Creates a compiler.
     *
     * @param time the clock by which cached answers of plan resolvers expire
     * @param costs the cost resolvers by the names that rules use for them
     * @param plans the plan resolvers by the names that rules use for them
     */
    public RuleCompiler(
            Subjects subjects,
            LedgerFactory limiters,
            TimeSource time,
            Map<String, CostResolver> costs,
            Map<String, PlanResolver> plans) {
        this(subjects, limiters, time, costs, plans, false, Limit.DEFAULT_ALGORITHM);
    }

    private RuleCompiler(
            Subjects subjects,
            LedgerFactory limiters,
            TimeSource time,
            Map<String, CostResolver> costs,
            Map<String, PlanResolver> plans,
            boolean ignoreCase,
            String usualAlgorithm) {
        this.subjects = Objects.requireNonNull(subjects, "subjects");
        this.limiters = Objects.requireNonNull(limiters, "limiters");
        this.time = Objects.requireNonNull(time, "time");
        this.costs = Map.copyOf(costs);
        this.plans = Map.copyOf(plans);
        this.ignoreCase = ignoreCase;
        this.usualAlgorithm = Objects.requireNonNull(usualAlgorithm, "usualAlgorithm");
    }

    /** A copy of this compiler whose rules ignore the case of paths. */
    public RuleCompiler ignoringCase() {
        return new RuleCompiler(subjects, limiters, time, costs, plans, true, usualAlgorithm);
    }

    /** A copy of this compiler that uses the algorithm for limits that leave the choice open, in rules that name none. */
    public RuleCompiler defaultAlgorithm(String algorithm) {
        return new RuleCompiler(subjects, limiters, time, costs, plans, ignoreCase, algorithm);
    }

    /**
     * Compiles the rules.
     *
     * @throws InvalidRulesException with every problem of every rule
     */
    public RuleSet compile(List<Rule> rules) {
        return compiled(ignoreCase ? rules.stream().map(RuleCompiler::lowerCase).toList() : rules);
    }

    /** The rule with its patterns in lower case. */
    private static Rule lowerCase(Rule rule) {
        return rule.toBuilder()
                .paths(lowerCase(rule.paths()))
                .exclude(lowerCase(rule.exclude()))
                .build();
    }

    private static String[] lowerCase(List<String> patterns) {
        return patterns.stream().map(CompiledRules::lowerCase).toArray(String[]::new);
    }

    /** The problems of the rules that show without knowing the subjects, resolvers and algorithms of the application. */
    public static List<String> problems(List<Rule> rules) {
        List<String> problems = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Rule rule : rules) {
            if (!rule.name().isBlank() && !names.add(rule.name())) {
                problems.add(duplicate(rule));
            }
            problems.addAll(new RuleCheck(rule, Limit.DEFAULT_ALGORITHM).problems());
        }
        return problems;
    }

    private static String duplicate(Rule rule) {
        return "rule '" + rule.name() + "': another rule has that name; names must be unique";
    }

    private RuleSet compiled(List<Rule> rules) {
        List<String> problems = new ArrayList<>();
        List<BoundRule> boundRules = new ArrayList<>();
        List<Candidate> candidates = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Rule rule : rules) {
            RuleCheck check = new RuleCheck(rule, usualAlgorithm);
            check.against(subjects, limiters, costs.keySet(), plans.keySet());
            if (!rule.name().isBlank() && !names.add(rule.name())) {
                problems.add(duplicate(rule));
            }
            problems.addAll(check.problems());
            if (rule.behavior() != Rule.Behavior.OFF && check.problems().isEmpty()) {
                warnings.addAll(check.warnings());
                BoundRule bound = bind(rule, check.plan());
                boundRules.add(bound);
                rule.paths()
                        .forEach(path ->
                                candidates.add(Candidate.of(candidates.size(), rule, bound, AntPattern.parse(path))));
            }
        }
        RuleSetAnalysis analysis = new RuleSetAnalysis(candidates, subjects);
        problems.addAll(analysis.unreachable());
        if (!problems.isEmpty()) {
            throw new InvalidRulesException(problems);
        }
        warnings.addAll(analysis.withoutCeiling());
        return new CompiledRules(rules, candidates, boundRules, warnings, ignoreCase);
    }

    private BoundRule bind(Rule rule, Plan plan) {
        return BoundRule.of(
                rule,
                plan,
                subjects,
                named(costs, rule.costResolver()),
                named(plans, rule.planResolver()),
                PatternVariables.of(rule.paths(), ignoreCase),
                limiters,
                time);
    }

    private static <T> @Nullable T named(Map<String, T> all, @Nullable String name) {
        return name == null ? null : all.get(name);
    }
}
