package io.headgate.spring.autoconfigure;

import io.headgate.spring.source.RuleReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/**
 * A rule in the properties of the application.
 *
 * @param place the prefix of its properties, such as {@code headgate.rules[0]} or {@code headgate.rules.api}
 */
record PlacedRule(String place, RuleProperties rule) {

    /**
     * All rules, which are written as a list or as a map.
     *
     * @param list the rules of the list
     * @throws InvalidSettingException if they are written as both, or the map is wrong
     */
    static List<PlacedRule> all(Environment environment, Supplier<List<RuleProperties>> list) {
        Iterable<ConfigurationPropertySource> sources = ConfigurationPropertySources.get(environment);
        NamedRules named = new NamedRules(sources);
        refuse(named.problems());
        return named.isEmpty() ? inOrder(list.get()) : byName(named, sources, environment);
    }

    private static List<PlacedRule> inOrder(List<RuleProperties> list) {
        return IntStream.range(0, list.size())
                .mapToObj(i -> new PlacedRule(RuleReader.ROOT + "[" + i + "]", list.get(i)))
                .toList();
    }

    private static List<PlacedRule> byName(
            NamedRules named, Iterable<ConfigurationPropertySource> sources, Environment environment) {
        List<PlacedRule> all = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (ConfigurationPropertyName place : named.places()) {
            RuleProperties rule = read(place, sources, environment);
            all.add(new PlacedRule(place.toString(), rule));
            String problem = named.problem(place, rule);
            if (problem != null) {
                problems.add(problem);
            }
        }
        refuse(problems);
        return List.copyOf(all);
    }

    private static void refuse(List<String> problems) {
        if (!problems.isEmpty()) {
            throw new InvalidSettingException(
                    RuleReader.ROOT,
                    null,
                    "\n- " + String.join("\n- ", problems),
                    "Write the rules as a list, or as a map by name to change single properties of them elsewhere,"
                            + " such as HEADGATE_RULES_API_LIMITS for the rule api.",
                    null);
        }
    }

    private static RuleProperties read(
            ConfigurationPropertyName place, Iterable<ConfigurationPropertySource> sources, Environment environment) {
        List<ConfigurationPropertySource> all = new ArrayList<>();
        sources.forEach(all::add);
        all.add(NamedRules.naming(place));
        return new Binder(all, new PropertySourcesPlaceholdersResolver(environment))
                .bindOrCreate(place, Bindable.of(RuleProperties.class), null);
    }
}
