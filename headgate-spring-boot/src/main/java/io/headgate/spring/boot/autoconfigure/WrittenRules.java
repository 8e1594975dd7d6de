package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.Spelling;
import io.headgate.http.InvalidRulesException;
import io.headgate.http.Rule;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.spring.boot.source.RuleReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.PlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.PropertySource;

/** Reads rules in the format of {@code headgate.rules} from a source that contains nothing else and resolves no placeholders. */
record WrittenRules(FailurePolicy usual) implements RuleReader {

    private static final ConfigurationPropertyName RULES = ConfigurationPropertyName.of(ROOT);

    @Override
    public Set<String> words() {
        return UnknownSettings.RULE;
    }

    @Override
    public List<Rule> read(PropertySource<?> written) {
        if (!(ConfigurationPropertySource.from(written) instanceof IterableConfigurationPropertySource source)) {
            throw new IllegalArgumentException("cannot list the properties of " + written);
        }
        NamedRules named = new NamedRules(List.of(source));
        List<String> problems = new ArrayList<>(named.problems());
        int rules = count(source, problems);
        List<Rule> all = new ArrayList<>();
        for (int i = 0; i < rules; i++) {
            read(source, RULES.append("[" + i + "]"), null, all, problems);
        }
        named.places().forEach(place -> read(source, place, named, all, problems));
        if (!problems.isEmpty()) {
            problems.addAll(RuleCompiler.problems(all));
            throw new InvalidRulesException(problems);
        }
        return all;
    }

    /** The number of rules in the list; 0 if they are a map. A source without {@code headgate.rules} is a problem, because it would mean no limits. */
    private static int count(IterableConfigurationPropertySource source, List<String> problems) {
        int rules = -1;
        for (ConfigurationPropertyName name : source) {
            if (name.equals(RULES)) {
                rules = Math.max(rules, 0);
            } else if (RULES.isAncestorOf(name) && name.isNumericIndex(2)) {
                rules = Math.max(rules, Integer.parseInt(name.getElement(2, Form.UNIFORM)) + 1);
            } else if (RULES.isAncestorOf(name) && name.getNumberOfElements() > 3) {
                rules = Math.max(rules, 0); // a map
            } else {
                problems.add(name + ": only " + ROOT + " is allowed here");
            }
        }
        if (rules < 0) {
            problems.add("there is no " + ROOT + "; write rules: [] for no rules");
        }
        return rules;
    }

    private void read(
            IterableConfigurationPropertySource source,
            ConfigurationPropertyName rule,
            @Nullable NamedRules named,
            List<Rule> all,
            List<String> problems) {
        String label = named == null ? label(source, rule) : "rule '" + NamedRules.name(rule) + "': ";
        for (ConfigurationPropertyName name : source.filter(rule::isAncestorOf)) {
            if (!UnknownSettings.isKnown(name.getElement(3, Form.UNIFORM), words())) {
                String word = name.getElement(3, Form.ORIGINAL);
                problems.add(label + "there is no property " + word + "; use one of " + new TreeSet<>(words())
                        + Spelling.hint(word, words()));
            }
        }
        List<ConfigurationPropertySource> sources =
                named == null ? List.of(source) : List.of(source, NamedRules.naming(rule));
        RuleProperties found = new CollectingBinder(sources, PlaceholdersResolver.NONE)
                .bind(rule, Bindable.of(RuleProperties.class), e -> problems.add(label + described(e, rule)));
        String problem = named == null ? null : named.problem(rule, found);
        if (problem != null) {
            problems.add(problem);
        }
        all.add(found.rule(usual));
    }

    private static String label(ConfigurationPropertySource source, ConfigurationPropertyName rule) {
        var name = source.getConfigurationProperty(rule.append("name"));
        return name == null ? rule + ": " : "rule '" + name.getValue() + "': ";
    }

    private static String described(BindException e, ConfigurationPropertyName rule) {
        String word = e.getName().toString().substring(rule.toString().length() + 1);
        String value = e.getProperty() == null ? "" : " = " + e.getProperty().getValue();
        return word + value + ": " + Values.problem(e);
    }
}
