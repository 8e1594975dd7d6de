package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Explanation;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** A valid set of rules in a {@link Trie} for each stage: a lookup takes as long with ten thousand rules as with ten. */
final class CompiledRules implements RuleSet {

    private final List<Rule> rules;
    private final List<BoundRule> boundRules;
    private final List<Candidate> candidates;
    private final List<String> warnings;
    private final boolean ignoreCase;
    private final Trie filters;
    private final Trie handlers;

    /**
     * @param rules all rules, including those that are off
     * @param ignoreCase whether the patterns are in lower case and match paths in any case
     */
    CompiledRules(
            List<Rule> rules,
            List<Candidate> candidates,
            List<BoundRule> boundRules,
            List<String> warnings,
            boolean ignoreCase) {
        this.rules = List.copyOf(rules);
        this.candidates = List.copyOf(candidates);
        this.boundRules = List.copyOf(boundRules);
        this.warnings = List.copyOf(warnings);
        this.ignoreCase = ignoreCase;
        this.filters = Trie.of(candidates(Rule.Stage.FILTER));
        this.handlers = Trie.of(candidates(Rule.Stage.HANDLER));
    }

    /** The candidates of that stage, in the order they were written. */
    List<Candidate> candidates(Rule.Stage stage) {
        return candidates.stream().filter(each -> each.rule().stage() == stage).toList();
    }

    @Override
    public boolean isEmpty(Rule.Stage stage) {
        return trie(stage).isEmpty();
    }

    private Trie trie(Rule.Stage stage) {
        return stage == Rule.Stage.FILTER ? filters : handlers;
    }

    @Override
    public List<BoundRule> match(Rule.Stage stage, String method, String path) {
        if (isEmpty(stage)) {
            return List.of();
        }
        List<BoundRule> matched = find(stage, method, path);
        if (PathReadings.isPlain(path)) {
            return matched;
        }
        Set<BoundRule> all = new LinkedHashSet<>(matched);
        PathReadings.others(path).forEach(reading -> all.addAll(find(stage, method, reading)));
        return all.size() == matched.size() ? matched : List.copyOf(all);
    }

    /** The bound rules of that one reading of a path. */
    List<BoundRule> find(Rule.Stage stage, String method, String path) {
        return trie(stage).match(method, normalized(path));
    }

    @Override
    public Explanation explain(String method, String path) {
        Explanation explanation = explainReading(method, path);
        if (!PathReadings.isPlain(path)) {
            for (String reading : PathReadings.others(path)) {
                explanation = Explainer.merge(explanation, explainReading(method, reading));
            }
        }
        return explanation;
    }

    /** Explains that one reading of a path. */
    Explanation explainReading(String method, String path) {
        return new Explainer(rules, candidates, method, normalized(path)).explain();
    }

    /** The path as patterns match it. It is empty for a request to the context path of an application, without a slash. */
    private String normalized(String path) {
        return path.isEmpty() ? "/" : ignoreCase ? lowerCase(path) : path;
    }

    /** The path in lower case, converted char by char as Spring does. */
    static String lowerCase(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (Character.toLowerCase(path.charAt(i)) != path.charAt(i)) {
                char[] chars = path.toCharArray();
                for (; i < chars.length; i++) {
                    chars[i] = Character.toLowerCase(chars[i]);
                }
                return new String(chars);
            }
        }
        return path;
    }

    @Override
    public List<Rule> rules() {
        return rules;
    }

    @Override
    public List<BoundRule> boundRules() {
        return boundRules;
    }

    @Override
    public List<String> warnings() {
        return warnings;
    }
}
