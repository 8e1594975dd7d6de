package io.headgate.http.rule;

import io.headgate.http.Checkpoint;
import io.headgate.http.Rule;
import java.util.ArrayList;
import java.util.List;

/**
 * A checked set of rules, from which a {@link CandidateRules} is built.
 *
 * @param off the rules that are off
 */
record Candidates(List<Checkpoint> checkpoints, List<Rule> off, List<String> warnings, List<Candidate> all) {

    static Candidates of(List<Checkpoint> checkpoints, List<Rule> off, List<String> warnings) {
        List<Candidate> all = new ArrayList<>();
        for (Checkpoint checkpoint : checkpoints) {
            for (String path : checkpoint.rule().paths()) {
                all.add(Candidate.of(all.size(), checkpoint, AntPattern.parse(path)));
            }
        }
        return new Candidates(List.copyOf(checkpoints), List.copyOf(off), List.copyOf(warnings), List.copyOf(all));
    }

    List<Candidate> at(Rule.Stage stage) {
        return all.stream()
                .filter(candidate -> candidate.checkpoint().rule().stage() == stage)
                .toList();
    }
}
