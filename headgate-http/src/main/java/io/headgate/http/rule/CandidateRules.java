package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Explanation;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import java.util.List;

/** What all rule sets have in common; subclasses differ in how they look up the rules of a request. */
abstract class CandidateRules implements RuleSet {

    private final Candidates candidates;
    private final boolean filters;
    private final boolean handlers;

    CandidateRules(Candidates candidates) {
        this.candidates = candidates;
        this.filters = !candidates.at(Rule.Stage.FILTER).isEmpty();
        this.handlers = !candidates.at(Rule.Stage.HANDLER).isEmpty();
    }

    @Override
    public final boolean idle(Rule.Stage stage) {
        return !(stage == Rule.Stage.FILTER ? filters : handlers);
    }

    @Override
    public final List<BoundRule> match(Rule.Stage stage, String method, String path) {
        return idle(stage) ? List.of() : find(stage, method, rooted(path));
    }

    /** As {@link #match}, for a path that is not empty. */
    abstract List<BoundRule> find(Rule.Stage stage, String method, String path);

    @Override
    public final Explanation explain(String method, String path) {
        return Explainer.explain(candidates, method, rooted(path));
    }

    /** The path, or {@code /} if it is empty: it is so for a request to the context path of an application, without a slash. */
    private static String rooted(String path) {
        return path.isEmpty() ? "/" : path;
    }

    @Override
    public final List<BoundRule> boundRules() {
        return candidates.boundRules();
    }

    @Override
    public final List<String> warnings() {
        return candidates.warnings();
    }
}
