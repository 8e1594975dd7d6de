package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Finds paths of rules that no handler has: most are misspelt. What is uncertain is not reported. In particular, a rule of the filter
 * stage may be about requests that a filter answers, so it is reported only if it has the context path, or differs from a handler in a
 * slash at the end or in case.
 *
 * @param ignoreCase whether rules ignore the case of paths
 */
record UnmatchedRules(KnownPaths known, boolean ignoreCase) {

    /**
     * A warning for each such path.
     *
     * @param named the rules that annotations name, which need no path
     */
    List<String> warnings(RuleSet inForce, Set<String> named) {
        List<String> warnings = new ArrayList<>();
        for (Rule rule : inForce.rules()) {
            if (rule.behavior() != Rule.Behavior.OFF && !named.contains(rule.name())) {
                rule.paths()
                        .forEach(path -> warning(rule, path)
                                .ifPresent(why ->
                                        warnings.add("rule '" + rule.name() + "': the path " + path + " " + why)));
            }
        }
        return warnings;
    }

    private Optional<String> warning(Rule rule, String path) {
        if (answered(path)) {
            return Optional.empty();
        }
        for (String base : known.bases()) {
            String within = path.substring(Math.min(path.length(), base.length()));
            if (path.startsWith(base) && within.startsWith("/") && answered(within)) {
                return Optional.of("matches no request, because rules match what follows the context path " + base
                        + "; write " + within);
            }
        }
        String withoutSlash = path.replaceFirst("/+$", "");
        if (path.endsWith("/") && !withoutSlash.isEmpty() && answered(withoutSlash)) {
            return Optional.of("matches no handler, because none ends with a slash there; write " + withoutSlash);
        }
        Optional<String> other = known.inAnotherCase(path);
        if (other.isPresent()) {
            return other.map(handler -> "matches no handler; it differs from " + handler + " only in case");
        }
        if (rule.stage() == Rule.Stage.FILTER) {
            return Optional.empty();
        }
        return Optional.of("matches no handler and no static file"
                + known.closest(path)
                        .map(handler -> "; the closest handler is " + handler)
                        .orElse("")
                + ". For requests that a filter or another servlet answers, set stage: filter");
    }

    private boolean answered(String path) {
        return known.mayAnswer(path)
                || (ignoreCase
                        && known.inAnotherCase(path.toLowerCase(Locale.ROOT)).isPresent());
    }
}
