package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Explains which rules check a request, and why the others do not.
 *
 * @param findings one for every rule of the set: first the rules that check the request, in that order, then the others
 */
public record Explanation(String method, String path, List<Finding> findings) {

    public Explanation {
        findings = List.copyOf(findings);
    }

    /** What a rule does with a request. */
    public enum Role {
        /** Checked in addition to the rule that comes first, because its match is {@link Rule.Match#ALL}. */
        BESIDE,
        /** Comes first among the matching rules of its stage, and so is the one that is checked. */
        FIRST,
        /** A shadow rule: it decides and its decision is reported, but not enforced. */
        SHADOW,
        /** Matches, but another rule comes first. */
        GIVES_WAY,
        /** Matches the path and the method, but excludes this path. */
        EXCLUDED,
        /** Matches the path, but not the method. */
        OTHER_METHOD,
        /** Does not match the path. */
        OTHER_PATH,
        /** Is switched off. */
        OFF;

        /** Whether a rule in this role is asked for a decision. */
        public boolean checked() {
            return this == BESIDE || this == FIRST || this == SHADOW;
        }
    }

    /**
     * The role of one rule, with the reason.
     *
     * @param pattern the pattern that matches the path; {@code null} if none does
     * @param why the reason in words, for the author of the rule
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
