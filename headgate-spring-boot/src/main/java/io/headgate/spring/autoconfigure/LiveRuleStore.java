package io.headgate.spring.autoconfigure;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import io.headgate.http.rule.LiveRules;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.spring.RuleStore;
import io.headgate.spring.source.PolledRules;
import java.util.ArrayList;
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
            throw source instanceof PolledRules polled
                    ? new InvalidSettingException(
                            polled.where(),
                            null,
                            String.valueOf(e.getMessage()),
                            "Correct the problems described above.",
                            e)
                    : new InvalidSettingException(described(e, properties));
        }
    }

    @Override
    public RuleSet get() {
        return rules.get();
    }

    /**
     * The problems, each with the property of its rule. A rule without a name may have been meant to change another and not to replace
     * it, so how rules are overridden is explained.
     */
    static List<String> described(InvalidRulesException e, List<RuleProperties> properties) {
        List<String> problems = new ArrayList<>();
        for (String problem : e.problems()) {
            problems.add((property(problem, properties) + problem).replace(", rule '':", ":"));
        }
        if (properties.stream().anyMatch(rule -> rule.name().isEmpty())) {
            problems.add(
                    "headgate.rules: every rule must be complete, because rules in a profile, in the environment or on the"
                            + " command line replace all others and cannot change single properties of them");
        }
        return problems;
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
