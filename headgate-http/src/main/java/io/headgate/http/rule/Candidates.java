package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import java.util.ArrayList;
import java.util.List;

/**
 * A checked set of rules, from which a {@link CandidateRules} is built.
 *
 * @param off the rules that are off
 */
record Candidates(List<BoundRule> boundRules, List<Rule> off, List<String> warnings, List<Candidate> all) {

    static Candidates of(List<BoundRule> boundRules, List<Rule> off, List<String> warnings) {
        List<Candidate> all = new ArrayList<>();
        for (BoundRule boundRule : boundRules) {
            for (String path : boundRule.rule().paths()) {
                all.add(Candidate.of(all.size(), boundRule, AntPattern.parse(path)));
            }
        }
        return new Candidates(List.copyOf(boundRules), List.copyOf(off), List.copyOf(warnings), List.copyOf(all));
    }

    List<Candidate> at(Rule.Stage stage) {
        return all.stream()
                .filter(candidate -> candidate.boundRule().rule().stage() == stage)
                .toList();
    }
}
