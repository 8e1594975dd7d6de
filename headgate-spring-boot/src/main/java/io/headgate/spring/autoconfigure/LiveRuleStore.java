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

/** The rules of the source, as long as they are right; the last right ones otherwise. */
final class LiveRuleStore implements RuleStore {

    private final LiveRules rules;

    /** @param properties the rules as they were bound, to say which of them is wrong */
    LiveRuleStore(RuleSource source, RuleCompiler compiler, List<RuleProperties> properties) {
        try {
            this.rules = new LiveRules(source, compiler);
        } catch (InvalidRulesException e) {
            throw new InvalidSettingException(
                    source instanceof PolledRules polled ? polled.where() : "headgate.rules",
                    null,
                    described(e, properties),
                    "Correct what is named above." + remedy(properties),
                    e);
        }
    }

    @Override
    public RuleSet get() {
        return rules.get();
    }

    /** A rule of which only some words are there may be one that somebody meant to change, and not to replace. */
    private static String remedy(List<RuleProperties> properties) {
        return properties.stream().anyMatch(rule -> rule.name().isEmpty())
                ? " A rule stands in one place with all of its words: those of a profile, of the environment or of the"
                        + " command line replace all others, and change none of them."
                : "";
    }

    private static String described(InvalidRulesException e, List<RuleProperties> properties) {
        return e.problems().stream()
                .map(problem -> "\n- " + property(problem, properties) + problem)
                .collect(Collectors.joining());
    }

    /** Where the rule of that name stands; two may have it, which is then among the problems. */
    private static String property(String problem, List<RuleProperties> properties) {
        String places = IntStream.range(0, properties.size())
                .filter(i -> problem.startsWith("rule '" + properties.get(i).name() + "'"))
                .mapToObj(i -> "headgate.rules[" + i + "]")
                .collect(Collectors.joining(" and "));
        return places.isEmpty() ? "" : places + ", ";
    }
}
