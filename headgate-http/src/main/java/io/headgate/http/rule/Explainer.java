package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Explanation;
import io.headgate.http.Explanation.Finding;
import io.headgate.http.Explanation.Role;
import io.headgate.http.Rule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Finds the role of every rule for one request. */
final class Explainer {

    private final Candidates candidates;
    private final String method;
    private final String path;
    private final Set<BoundRule> met = new HashSet<>();
    private final List<Finding> checked = new ArrayList<>();
    private final Map<BoundRule, Finding> others = new HashMap<>();

    private Explainer(Candidates candidates, String method, String path) {
        this.candidates = candidates;
        this.method = method;
        this.path = path;
    }

    static Explanation explain(Candidates candidates, String method, String path) {
        return new Explainer(candidates, method, path).explain();
    }

    private Explanation explain() {
        for (Rule.Stage stage : Rule.Stage.values()) {
            matching(candidates.at(stage).stream()
                    .filter(each -> each.pattern().matches(path) && each.accepts(method, path))
                    .toList());
        }
        candidates.all().forEach(this::notMatching);
        List<Finding> findings = new ArrayList<>(checked);
        for (BoundRule boundRule : candidates.boundRules()) {
            Finding finding = boundRule.rule().paths().isEmpty() ? noPath(boundRule.rule()) : others.get(boundRule);
            if (finding != null && !met.contains(boundRule)) {
                findings.add(finding);
            }
        }
        for (Rule rule : candidates.off()) {
            findings.add(new Finding(rule, Role.OFF, null, "behavior is off"));
        }
        return new Explanation(method, path, findings);
    }

    private static Finding noPath(Rule rule) {
        return new Finding(rule, Role.OTHER_PATH, null, "it has no path: only methods that name it are limited by it");
    }

    /** Records which of the matching candidates {@link Selection} chooses, and why it does not choose the others. */
    private void matching(List<Candidate> matching) {
        List<BoundRule> selected = new Selection(path, new ArrayList<>(matching)).boundRules();
        for (BoundRule boundRule : selected) {
            checked.add(checked(boundRule, matching));
            met.add(boundRule);
        }
        amongThemselves(matching.stream().filter(each -> !each.shadow()).toList());
        amongThemselves(matching.stream().filter(Candidate::shadow).toList());
    }

    private void amongThemselves(List<Candidate> matching) {
        Candidate best = null;
        for (Candidate candidate : matching) {
            if (candidate.matchesBeside()) {
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

    private static Finding checked(BoundRule boundRule, List<Candidate> matching) {
        Candidate own = matching.stream()
                .filter(each -> each.boundRule() == boundRule)
                .findFirst()
                .orElseThrow();
        String pattern = own.pattern().text();
        if (own.shadow()) {
            return new Finding(
                    boundRule.rule(), Role.SHADOW, pattern, "behavior is shadow: decides, but is not enforced");
        }
        if (own.matchesBeside()) {
            return new Finding(
                    boundRule.rule(), Role.BESIDE, pattern, "match is all: checked whichever rule comes first");
        }
        long rivals = matching.stream()
                .filter(each -> !each.matchesBeside() && !each.shadow())
                .map(Candidate::boundRule)
                .distinct()
                .count();
        String why = rivals == 1 ? "the only rule that matches" : "comes first of " + rivals + " rules that match";
        return new Finding(boundRule.rule(), Role.FIRST, pattern, why);
    }

    private void givesWay(Candidate loser, Candidate winner) {
        if (loser.boundRule() != winner.boundRule()) {
            Finding finding = new Finding(
                    loser.boundRule().rule(), Role.GIVES_WAY, loser.pattern().text(), loser.whyBehind(winner, path));
            others.put(loser.boundRule(), finding);
        }
    }

    private void notMatching(Candidate candidate) {
        Rule rule = candidate.boundRule().rule();
        if (!candidate.pattern().matches(path)) {
            others.putIfAbsent(
                    candidate.boundRule(),
                    new Finding(rule, Role.OTHER_PATH, null, "the path matches none of " + rule.paths()));
            return;
        }
        AntPattern excluding = candidate.excluding(path);
        @Nullable Finding finding = null;
        if (!candidate.accepts(method)) {
            String why = "the method is not one of " + candidate.methods();
            finding = new Finding(rule, Role.OTHER_METHOD, candidate.pattern().text(), why);
        } else if (excluding != null) {
            finding = new Finding(rule, Role.EXCLUDED, candidate.pattern().text(), "excluded by " + excluding.text());
        }
        if (finding != null) {
            others.put(candidate.boundRule(), finding);
        }
    }
}
