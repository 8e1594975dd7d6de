package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Why a request meets the rules it meets.
 *
 * @param findings one for every rule that was written: first those the request is checked by, in that order, then the others
 */
public record Explanation(String method, String path, List<Finding> findings) {

    public Explanation {
        findings = List.copyOf(findings);
    }

    /** What one rule has to do with a request. */
    public enum Role {
        /** Checked beside whichever rule comes first. */
        BESIDE,
        /** Comes first in its stage, and so is the one that is checked. */
        FIRST,
        /** Decides and is reported, and holds nobody up. */
        TRIED_OUT,
        /** Matches, but another rule comes first. */
        GIVES_WAY,
        /** Is about the path and the method, but excludes this one. */
        EXCLUDED,
        /** Is about the path, but not about the method. */
        OTHER_METHOD,
        /** Is about other paths. */
        OTHER_PATH,
        /** Is switched off. */
        OFF;

        /** Whether a rule in this role is asked for a decision. */
        public boolean checked() {
            return this == BESIDE || this == FIRST || this == TRIED_OUT;
        }
    }

    /**
     * What was found out about one rule.
     *
     * @param pattern the pattern that matches the path; {@code null} if none does
     * @param why a sentence for whoever wrote the rule
     */
    public record Finding(Rule rule, Role role, @Nullable String pattern, String why) {}

    /** The rules that are asked for a decision, in this order; those of the filter stage come first. */
    public List<Rule> checked() {
        return findings.stream()
                .filter(each -> each.role.checked())
                .map(Finding::rule)
                .toList();
    }
}
