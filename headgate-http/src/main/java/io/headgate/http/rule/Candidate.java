package io.headgate.http.rule;

import io.headgate.http.Checkpoint;
import io.headgate.http.Rule;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * One pattern of one rule.
 *
 * @param place of the rule and the pattern as they were written, over all rules
 */
record Candidate(int place, Checkpoint checkpoint, AntPattern pattern, List<AntPattern> exclude, List<String> methods) {

    static Candidate of(int place, Checkpoint checkpoint, AntPattern pattern) {
        Rule rule = checkpoint.rule();
        return new Candidate(
                place,
                checkpoint,
                pattern,
                rule.exclude().stream().map(AntPattern::parse).toList(),
                rule.methods().stream()
                        .map(method -> method.toUpperCase(Locale.ROOT))
                        .toList());
    }

    /** Whether a request whose path matches the pattern is meant. */
    boolean accepts(String method, String path) {
        return accepts(method) && excluding(path) == null;
    }

    boolean accepts(String method) {
        return methods.isEmpty()
                || methods.contains(method)
                || (method.equals("HEAD") && methods.contains("GET")); // it is a GET without the body
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

    /** Whether this one comes first: it was written later, so it must be better. */
    boolean beats(Candidate earlier, String path) {
        int priority = checkpoint.rule().priority();
        int other = earlier.checkpoint.rule().priority();
        return priority != other ? priority > other : pattern.compare(earlier.pattern, path) < 0;
    }

    /** Why the other one comes first, in words. */
    String whyBehind(Candidate other, String path) {
        Rule winner = other.checkpoint.rule();
        int priority = checkpoint.rule().priority();
        String first = "rule '" + winner.name() + "' comes first: ";
        if (winner.priority() != priority) {
            return first + "its priority " + winner.priority() + " is above " + priority;
        }
        return other.pattern.compare(pattern, path) < 0
                ? first + other.pattern.text() + " is more specific than " + pattern.text()
                : first + "it is as specific and was written before";
    }

    boolean shadow() {
        return checkpoint.rule().behavior() == Rule.Behavior.SHADOW;
    }

    boolean matchesBeside() {
        return checkpoint.rule().match() == Rule.Match.ALL;
    }
}
