package io.headgate.spring.autoconfigure;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import io.headgate.http.rule.LiveRules;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.spring.RuleStore;
import io.headgate.spring.source.PolledRules;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The rules of a source. While those are invalid, the last valid ones stay in force. */
final class LiveRuleStore implements RuleStore {

    private final LiveRules rules;

    /** @param properties the rules as they were bound, to report which of them is invalid */
    LiveRuleStore(RuleSource source, RuleCompiler compiler, List<RuleProperties> properties) {
        try {
            this.rules = new LiveRules(source, compiler);
        } catch (InvalidRulesException e) {
            throw new InvalidSettingException(
                    source instanceof PolledRules polled ? polled.where() : "headgate.rules",
                    null,
                    described(e, properties),
                    "Correct the problems listed above." + remedy(properties),
                    e);
        }
    }

    @Override
    public RuleSet get() {
        return rules.get();
    }

    @Override
    public void onChange(Runnable changed) {
        rules.onChange(changed);
    }

    /** Explains how rules are overridden. A rule without a name may have been meant to change another, not to replace it. */
    private static String remedy(List<RuleProperties> properties) {
        return properties.stream().anyMatch(rule -> rule.name().isEmpty())
                ? " Every rule must be complete: rules in a profile, in the environment or on the"
                        + " command line replace all others and cannot change single properties of them."
                : "";
    }

    private static String described(InvalidRulesException e, List<RuleProperties> properties) {
        return e.problems().stream()
                .map(problem -> "\n- " + property(problem, properties) + problem)
                .collect(Collectors.joining());
    }

    /** The property of the rule that the problem names. If two rules have that name, which is a problem itself, both are given. */
    private static String property(String problem, List<RuleProperties> properties) {
        String places = IntStream.range(0, properties.size())
                .filter(i -> problem.startsWith("rule '" + properties.get(i).name() + "'"))
                .mapToObj(i -> "headgate.rules[" + i + "]")
                .collect(Collectors.joining(" and "));
        return places.isEmpty() ? "" : places + ", ";
    }
}
