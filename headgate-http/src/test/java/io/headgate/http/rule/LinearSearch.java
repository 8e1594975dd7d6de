package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import java.util.ArrayList;
import java.util.List;

/** Searches rules from top to bottom: the reference for what the trie must find, but slower. */
final class LinearSearch {

    private LinearSearch() {}

    static List<BoundRule> match(CompiledRules rules, Rule.Stage stage, String method, String path) {
        List<Candidate> matching = new ArrayList<>();
        for (Candidate candidate : rules.candidates(stage)) {
            if (candidate.pattern().matches(path) && candidate.accepts(method, path)) {
                matching.add(candidate);
            }
        }
        return Selection.of(matching, path);
    }
}
