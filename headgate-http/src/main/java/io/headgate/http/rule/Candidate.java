package io.headgate.http.rule;

import io.headgate.http.Checkpoint;
import io.headgate.http.Rule;
import java.util.List;
import java.util.Locale;

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
        return accepts(method) && !excludes(path);
    }

    private boolean accepts(String method) {
        return methods.isEmpty()
                || methods.contains(method)
                || (method.equals("HEAD") && methods.contains("GET")); // it is a GET without the body
    }

    private boolean excludes(String path) {
        for (int i = 0; i < exclude.size(); i++) {
            if (exclude.get(i).matches(path)) {
                return true;
            }
        }
        return false;
    }

    /** Whether this one comes first: it was written later, so it must be better. */
    boolean beats(Candidate earlier, String path) {
        int priority = checkpoint.rule().priority();
        int other = earlier.checkpoint.rule().priority();
        return priority != other ? priority > other : pattern.compare(earlier.pattern, path) < 0;
    }

    boolean shadow() {
        return checkpoint.rule().behavior() == Rule.Behavior.SHADOW;
    }

    boolean matchesBeside() {
        return checkpoint.rule().match() == Rule.Match.ALL;
    }
}
