package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import io.headgate.http.rule.LiveRules;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.source.PolledRules;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** The rules of a source. While those are invalid, the last valid ones stay in force. */
final class LiveRuleStore implements RuleStore {

    private final LiveRules rules;

    /** @param written the rules in the properties, to report which of them is invalid */
    LiveRuleStore(RuleSource source, RuleCompiler compiler, List<ConfiguredRule> written) {
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
                    : new InvalidSettingException(described(e.problems(), written));
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

    /**
     * The problems, each with the property of its rule. A rule without a name may have been meant to change another and not to replace
     * it, so how rules are overridden is explained.
     */
    static List<String> described(List<String> found, List<ConfiguredRule> written) {
        List<String> problems = new ArrayList<>();
        for (String problem : found) {
            problems.add((property(problem, written) + problem).replace(", rule '':", ":"));
        }
        if (written.stream().anyMatch(each -> each.rule().name().isEmpty())) {
            problems.add(
                    "headgate.rules: every rule of a list must be complete, because a list in a profile, in the environment or on"
                            + " the command line replaces all others; to change single properties of rules, write the rules as a map by"
                            + " name, such as headgate.rules.api.limits");
        }
        return problems;
    }

    /** The property of the rule that the problem names. If two rules have that name, which is a problem itself, both are given. */
    private static String property(String problem, List<ConfiguredRule> written) {
        String places = written.stream()
                .filter(each -> problem.startsWith("rule '" + each.rule().name() + "'"))
                .map(ConfiguredRule::place)
                .collect(Collectors.joining(" and "));
        return places.isEmpty() ? "" : places + ", ";
    }
}
