package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import java.util.List;

/** Rules in a {@link Trie}: a lookup takes as long with ten thousand rules as with ten. */
final class TrieRules extends CandidateRules {

    private final Trie filters;
    private final Trie handlers;

    TrieRules(Candidates candidates) {
        super(candidates);
        this.filters = Trie.of(candidates.at(Rule.Stage.FILTER));
        this.handlers = Trie.of(candidates.at(Rule.Stage.HANDLER));
    }

    @Override
    List<BoundRule> find(Rule.Stage stage, String method, String path) {
        return (stage == Rule.Stage.FILTER ? filters : handlers).match(method, path);
    }
}
