package io.headgate.http.rule;

import io.headgate.http.BoundRule;
import io.headgate.http.Rule;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One pattern of one rule.
 *
 * @param place the position of the pattern among all patterns of all rules, in the order they were written
 */
record Candidate(
        int place, Rule rule, BoundRule boundRule, AntPattern pattern, List<AntPattern> exclude, List<String> methods) {

    static Candidate of(int place, Rule rule, BoundRule boundRule, AntPattern pattern) {
        return new Candidate(
                place,
                rule,
                boundRule,
                pattern,
                rule.exclude().stream().map(AntPattern::parse).toList(),
                rule.methods().stream()
                        .map(method -> method.toUpperCase(Locale.ROOT))
                        .toList());
    }

    /** Whether the rule applies to a request whose path matches the pattern: the method fits and the path is not excluded. */
    boolean accepts(String method, String path) {
        return accepts(method) && excluding(path) == null;
    }

    boolean accepts(String method) {
        return methods.isEmpty()
                || methods.contains(method)
                || (method.equals("HEAD") && methods.contains("GET")); // HEAD is a GET without the body
    }

    /** The pattern that excludes the path; {@code null} if none does. */
    @Nullable
    AntPattern excluding(String path) {
        for (int i = 0; i < exclude.size(); i++) {
            if (exclude.get(i).matches(path)) {
                return exclude.get(i);
            }
        }
        return null;
    }

    /** Whether this candidate comes before one that was written earlier; it must be better, since a tie goes to the earlier one. */
    boolean beats(Candidate earlier, String path) {
        int priority = rule.priority();
        int other = earlier.rule.priority();
        return priority != other ? priority > other : pattern.compare(earlier.pattern, path) < 0;
    }

    /** The reason in words why the other candidate comes first. */
    String whyBehind(Candidate other, String path) {
        String first = "rule '" + other.rule.name() + "' comes first: ";
        if (other.rule.priority() != rule.priority()) {
            return first + "its priority " + other.rule.priority() + " is higher than " + rule.priority();
        }
        return other.pattern.compare(pattern, path) < 0
                ? first + other.pattern.text() + " is more specific than " + pattern.text()
                : first + "it is equally specific and was written earlier";
    }

    boolean shadow() {
        return rule.behavior() == Rule.Behavior.SHADOW;
    }

    boolean matchesAll() {
        return rule.match() == Rule.Match.ALL;
    }
}
