package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Explanation;
import io.headgate.http.Explanation.Finding;
import io.headgate.http.Explanation.Role;
import io.headgate.http.Rule;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Finds the role of every rule for one request. */
final class Explainer {

    private final List<Rule> rules;
    private final List<Candidate> candidates;
    private final String method;
    private final String path;

    /** What was found, by the name of the rule: rules that are checked, and others. */
    private final Map<String, Finding> checked = new LinkedHashMap<>();

    private final Map<String, Finding> others = new LinkedHashMap<>();

    Explainer(List<Rule> rules, List<Candidate> candidates, String method, String path) {
        this.rules = rules;
        this.candidates = candidates;
        this.method = method;
        this.path = path;
    }

    Explanation explain() {
        for (Rule.Stage stage : Rule.Stage.values()) {
            explainMatching(candidates.stream()
                    .filter(each -> each.rule().stage() == stage)
                    .filter(each -> each.pattern().matches(path) && each.accepts(method, path))
                    .toList());
        }
        candidates.forEach(this::explainNotMatching);
        List<Finding> findings = new ArrayList<>(checked.values());
        for (Rule rule : rules) {
            Finding finding = rule.paths().isEmpty() ? noPath(rule) : others.get(rule.name());
            if (finding != null && !checked.containsKey(rule.name()) && rule.behavior() != Rule.Behavior.OFF) {
                findings.add(finding);
            }
        }
        for (Rule rule : rules) {
            if (rule.behavior() == Rule.Behavior.OFF) {
                findings.add(new Finding(rule, Role.OFF, null, "behavior is off"));
            }
        }
        return new Explanation(method, path, findings);
    }

    private static Finding noPath(Rule rule) {
        return new Finding(rule, Role.OTHER_PATH, null, "it has no path: only methods that name it are limited by it");
    }

    /** Records which of the matching candidates {@link Selection} chooses, and why it does not choose the others. */
    private void explainMatching(List<Candidate> matching) {
        for (BoundRule rule : Selection.of(new ArrayList<>(matching), path)) {
            Candidate own = matching.stream()
                    .filter(each -> each.boundRule() == rule)
                    .findFirst()
                    .orElseThrow();
            checked.put(rule.name(), checked(own, matching));
        }
        explainGivingWay(matching.stream().filter(each -> !each.shadow()).toList());
        explainGivingWay(matching.stream().filter(Candidate::shadow).toList());
    }

    private static Finding checked(Candidate own, List<Candidate> matching) {
        if (own.shadow()) {
            return finding(own, Role.SHADOW, "behavior is shadow: decides, but is not enforced");
        }
        if (own.matchesAll()) {
            return finding(own, Role.BESIDE, "match is all: checked whichever rule comes first");
        }
        long rivals = matching.stream()
                .filter(each -> !each.matchesAll() && !each.shadow())
                .map(Candidate::boundRule)
                .distinct()
                .count();
        return finding(
                own,
                Role.FIRST,
                rivals == 1 ? "the only rule that matches" : "comes first of " + rivals + " rules that match");
    }

    private void explainGivingWay(List<Candidate> matching) {
        Candidate best = null;
        for (Candidate candidate : matching) {
            if (candidate.matchesAll()) {
                continue;
            }
            if (best == null) {
                best = candidate;
            } else if (candidate.beats(best, path)) {
                givesWay(best, candidate);
                best = candidate;
            } else {
                givesWay(candidate, best);
            }
        }
    }

    private void givesWay(Candidate loser, Candidate winner) {
        if (loser.boundRule() != winner.boundRule()) {
            others.put(loser.rule().name(), finding(loser, Role.GIVES_WAY, loser.whyBehind(winner, path)));
        }
    }

    private void explainNotMatching(Candidate candidate) {
        Rule rule = candidate.rule();
        AntPattern excluding = candidate.excluding(path);
        if (!candidate.pattern().matches(path)) {
            String why = "the path matches none of " + rule.paths();
            others.putIfAbsent(rule.name(), new Finding(rule, Role.OTHER_PATH, null, why));
        } else if (!candidate.accepts(method)) {
            String why = "the method is not one of " + candidate.methods();
            others.put(rule.name(), finding(candidate, Role.OTHER_METHOD, why));
        } else if (excluding != null) {
            others.put(rule.name(), finding(candidate, Role.EXCLUDED, "excluded by " + excluding.text()));
        }
    }

    private static Finding finding(Candidate candidate, Role role, String why) {
        return new Finding(candidate.rule(), role, candidate.pattern().text(), why);
    }

    /** The first explanation, with the rules that check the request only because its path may also be read as that of the other one. */
    static Explanation merge(Explanation explanation, Explanation other) {
        Map<String, Finding> checking = new LinkedHashMap<>();
        for (Finding each : explanation.findings()) {
            if (each.role().checked()) {
                checking.put(each.rule().name(), each);
            }
        }
        for (Finding each : other.findings()) {
            if (each.role().checked()) {
                String why = "checked because the path may also be read as " + other.path() + ": " + each.why();
                checking.putIfAbsent(each.rule().name(), new Finding(each.rule(), each.role(), each.pattern(), why));
            }
        }
        Stream<Finding> first = checking.values().stream()
                .sorted(Comparator.comparing(each -> each.rule().stage()));
        Stream<Finding> others = explanation.findings().stream()
                .filter(each -> !checking.containsKey(each.rule().name()));
        return new Explanation(
                explanation.method(),
                explanation.path(),
                Stream.concat(first, others).toList());
    }
}
