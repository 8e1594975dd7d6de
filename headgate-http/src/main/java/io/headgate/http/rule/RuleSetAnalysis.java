package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import io.headgate.http.Subjects;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Checks the rules of a set against each other: which can never apply, and which lack a ceiling that a client cannot evade. */
final class RuleSetAnalysis {

    private final Subjects subjects;
    private final Map<BoundRule, List<Candidate>> candidates;

    /** Finds the few patterns that may cover another one, without trying them all. */
    private final Trie patterns;

    RuleSetAnalysis(List<Candidate> all, Subjects subjects) {
        this.subjects = subjects;
        this.candidates = all.stream()
                .collect(Collectors.groupingBy(Candidate::boundRule, LinkedHashMap::new, Collectors.toList()));
        this.patterns = Trie.of(all);
    }

    /** A problem for each rule that can never apply, as far as the patterns alone can show. */
    List<String> unreachable() {
        List<String> problems = new ArrayList<>();
        candidates.forEach((boundRule, own) -> {
            if (own.stream().allMatch(RuleSetAnalysis::excluded)) {
                problems.add("rule '" + boundRule.name() + "': can never apply, because it excludes all of its paths");
            } else if (own.stream().allMatch(this::hidden)) {
                problems.add("rule '" + boundRule.name() + "': can never apply, because rule '"
                        + hiding(own.get(0)).get(0).rule().name() + "' always comes before it");
            }
        });
        return problems;
    }

    /** Warnings about rules whose subjects a client can make up, so that random values get it fresh budgets. */
    List<String> withoutCeiling() {
        List<String> warnings = new ArrayList<>();
        candidates.forEach((boundRule, own) -> {
            Rule rule = own.get(0).rule();
            if (subjects.clientControlled(rule.subject()) && !own.stream().allMatch(this::underCeiling)) {
                warnings.add("rule '" + rule.name() + "' has the subject " + rule.subject()
                        + ", for which a client can send as many values as it likes; add a rule with the same paths, "
                        + "subject ip and match all to limit them together");
            }
        });
        return warnings;
    }

    /** Whether the rule excludes every path that the pattern matches. */
    private static boolean excluded(Candidate candidate) {
        return candidate.exclude().stream().anyMatch(exclusion -> exclusion.covers(candidate.pattern()));
    }

    private boolean hidden(Candidate candidate) {
        return !hiding(candidate).isEmpty();
    }

    private List<Candidate> hiding(Candidate candidate) {
        return candidate.matchesAll()
                ? List.of()
                : around(candidate)
                        .filter(other -> !other.matchesAll() && covers(other, candidate))
                        .filter(other -> other.shadow() == candidate.shadow())
                        .filter(other -> stage(other) == stage(candidate) && alwaysFirst(other, candidate))
                        .filter(other -> !overtaken(other, candidate))
                        .toList();
    }

    /**
     * Whether a third pattern may come before {@code other} and then give way to {@code candidate}, which is possible because the
     * order of patterns has cycles.
     */
    private boolean overtaken(Candidate other, Candidate candidate) {
        return candidates.values().stream()
                .flatMap(List::stream)
                .filter(third ->
                        !third.matchesAll() && third.shadow() == candidate.shadow() && stage(third) == stage(candidate))
                .anyMatch(third -> alwaysFirst(third, other) && alwaysFirst(candidate, third));
    }

    private boolean underCeiling(Candidate candidate) {
        return around(candidate)
                .anyMatch(other -> isCeiling(other)
                        && (stage(other) == stage(candidate) || stage(other) == Rule.Stage.FILTER)
                        && covers(other, candidate));
    }

    /** Whether the rule limits every client, whatever values it sends. */
    private boolean isCeiling(Candidate candidate) {
        Rule rule = candidate.rule();
        return candidate.matchesAll()
                && !candidate.shadow()
                && !subjects.clientControlled(rule.subject())
                && rule.missing() != Rule.Missing.SKIP;
    }

    private static Rule.Stage stage(Candidate candidate) {
        return candidate.rule().stage();
    }

    private Stream<Candidate> around(Candidate candidate) {
        return patterns.matching(candidate.pattern().sample()).stream();
    }

    /** Whether {@code one} matches every request that {@code other}, of another rule, matches. */
    private static boolean covers(Candidate one, Candidate other) {
        return one.boundRule() != other.boundRule()
                && one.exclude().stream().allMatch(exclusion -> spares(exclusion, other))
                && (one.methods().isEmpty()
                        || (!other.methods().isEmpty()
                                && other.methods().stream().allMatch(one::accepts)))
                && one.pattern().covers(other.pattern());
    }

    /** Whether the exclusion certainly affects no request that {@code other} matches. */
    private static boolean spares(AntPattern exclusion, Candidate other) {
        boolean never =
                other.pattern().literal() && !exclusion.matches(other.pattern().text());
        return never || other.rule().exclude().contains(exclusion.text());
    }

    private static boolean alwaysFirst(Candidate one, Candidate other) {
        int priority = one.rule().priority();
        int otherPriority = other.rule().priority();
        if (priority != otherPriority) {
            return priority > otherPriority;
        }
        // a pattern without wildcards equals the path whenever it matches, and nothing is more specific than that
        String path = other.pattern().literal() ? other.pattern().text() : "";
        int order = one.pattern().compare(other.pattern(), path);
        return order < 0 || (order == 0 && one.place() < other.place());
    }
}
