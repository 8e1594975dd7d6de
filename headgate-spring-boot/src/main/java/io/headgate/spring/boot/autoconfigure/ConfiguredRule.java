package io.headgate.spring.boot.autoconfigure;

import io.headgate.spring.boot.source.RuleReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
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
record ConfiguredRule(String place, RuleProperties rule) {

    /**
     * All rules, which are written as a list or as a map.
     *
     * @param list the rules of the list
     * @param problem is told what is wrong with how they are written
     * @param unread is told of every value that cannot be read
     */
    static List<ConfiguredRule> all(
            Environment environment,
            List<RuleProperties> list,
            Consumer<String> problem,
            Consumer<BindException> unread) {
        List<ConfigurationPropertySource> sources = new ArrayList<>();
        ConfigurationPropertySources.get(environment).forEach(sources::add);
        NamedRules named = new NamedRules(sources);
        named.problems().forEach(problem);
        if (named.isEmpty()) {
            return IntStream.range(0, list.size())
                    .mapToObj(i -> new ConfiguredRule(RuleReader.ROOT + "[" + i + "]", list.get(i)))
                    .toList();
        }
        List<ConfiguredRule> all = new ArrayList<>();
        for (ConfigurationPropertyName place : named.places()) {
            List<ConfigurationPropertySource> naming = new ArrayList<>(sources);
            naming.add(NamedRules.naming(place));
            RuleProperties rule = new CollectingBinder(naming, new PropertySourcesPlaceholdersResolver(environment))
                    .bind(place, Bindable.of(RuleProperties.class), unread);
            all.add(new ConfiguredRule(place.toString(), rule));
            String wrong = named.problem(place, rule);
            if (wrong != null) {
                problem.accept(wrong);
            }
        }
        return List.copyOf(all);
    }
}
