package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Explanation;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import java.util.List;

/**
 * Rules that match paths regardless of case, for applications that find handlers in the same way.
 *
 * @param folded the rules with their patterns in lower case
 */
record CaseInsensitiveRules(RuleSet folded) implements RuleSet {

    /** The rule with its patterns in lower case. */
    static Rule fold(Rule rule) {
        return rule.toBuilder()
                .paths(fold(rule.paths()))
                .exclude(fold(rule.exclude()))
                .build();
    }

    private static String[] fold(List<String> patterns) {
        return patterns.stream().map(CaseInsensitiveRules::fold).toArray(String[]::new);
    }

    /** The path in lower case, converted char by char as Spring does. */
    static String fold(String path) {
        for (int i = 0; i < path.length(); i++) {
            if (Character.toLowerCase(path.charAt(i)) != path.charAt(i)) {
                return foldFrom(i, path.toCharArray());
            }
        }
        return path;
    }

    private static String foldFrom(int start, char[] path) {
        for (int i = start; i < path.length; i++) {
            path[i] = Character.toLowerCase(path[i]);
        }
        return new String(path);
    }

    @Override
    public List<BoundRule> match(Rule.Stage stage, String method, String path) {
        return folded.match(stage, method, fold(path));
    }

    @Override
    public Explanation explain(String method, String path) {
        return folded.explain(method, fold(path));
    }

    @Override
    public List<BoundRule> boundRules() {
        return folded.boundRules();
    }

    @Override
    public boolean idle(Rule.Stage stage) {
        return folded.idle(stage);
    }

    @Override
    public List<String> warnings() {
        return folded.warnings();
    }
}
