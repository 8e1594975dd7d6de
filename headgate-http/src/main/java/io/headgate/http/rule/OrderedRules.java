package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import java.util.ArrayList;
import java.util.List;

/** Rules in a list that is searched from top to bottom: the reference for what {@link TrieRules} must find, but slower. */
final class OrderedRules extends CandidateRules {

    private final List<Candidate> filters;
    private final List<Candidate> handlers;

    OrderedRules(Candidates candidates) {
        super(candidates);
        this.filters = candidates.at(Rule.Stage.FILTER);
        this.handlers = candidates.at(Rule.Stage.HANDLER);
    }

    @Override
    List<BoundRule> find(Rule.Stage stage, String method, String path) {
        List<Candidate> matching = new ArrayList<>();
        for (Candidate candidate : stage == Rule.Stage.FILTER ? filters : handlers) {
            if (candidate.pattern().matches(path) && candidate.accepts(method, path)) {
                matching.add(candidate);
            }
        }
        return new Selection(path, matching).boundRules();
    }
}
