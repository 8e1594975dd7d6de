package io.headgate.spring.boot.autoconfigure;

import io.headgate.Spelling;
import io.headgate.spring.boot.source.RuleReader;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.env.SystemEnvironmentPropertySource;

/**
 * Rules that are written as a map by their names: {@code headgate.rules.api.path} and so on.
 *
 * <p>Spring Boot compares names without regard to case and dashes, so an environment variable, which can have neither, changes the rule
 * of such a name. A rule has the name, and the place in the order, that it has in the source of least precedence, such as
 * {@code application.yml}. Variables come last.
 */
final class NamedRules {

    private static final ConfigurationPropertyName RULES = ConfigurationPropertyName.of(RuleReader.ROOT);

    /** The name of a rule in a property, as it was written: Spring Boot drops the characters that it does not allow. */
    private static final Pattern WRITTEN =
            Pattern.compile("(?i)" + Pattern.quote(RuleReader.ROOT) + "\\.([^.\\[]*)[.\\[].*");

    private static final Pattern KEPT = Pattern.compile("[A-Za-z0-9_-]+");

    /** The prefix of the properties of each rule, by its name in uniform spelling. */
    private final Map<String, ConfigurationPropertyName> places = new LinkedHashMap<>();

    /** The places of the rules that only variables name. */
    private final Set<ConfigurationPropertyName> onlyVariables = new HashSet<>();

    private final List<String> problems = new ArrayList<>();
    private @Nullable ConfigurationPropertyName indexed;

    /** @param sources in descending order of precedence */
    NamedRules(Iterable<? extends ConfigurationPropertySource> sources) {
        List<IterableConfigurationPropertySource> written = new ArrayList<>();
        List<IterableConfigurationPropertySource> variables = new ArrayList<>();
        for (ConfigurationPropertySource source : sources) {
            if (source instanceof IterableConfigurationPropertySource names) {
                boolean ofVariables = source.getUnderlyingSource() instanceof SystemEnvironmentPropertySource;
                (ofVariables ? variables : written).add(names);
            }
        }
        Collections.reverse(written);
        written.forEach(this::rejectChangedNames);
        written.forEach(source -> source.filter(RULES::isAncestorOf).forEach(this::add));
        Map<String, ConfigurationPropertyName> known = Map.copyOf(places);
        variables.forEach(source -> source.filter(RULES::isAncestorOf).forEach(name -> addVariable(name, known)));
        if (indexed != null && !places.isEmpty()) {
            problems.add("the rules are written as a list (" + indexed + ") and as a map by name ("
                    + places.values().iterator().next() + "); use one of the two");
        }
    }

    /** Two rules whose names differ in dropped characters only would be one. */
    private void rejectChangedNames(ConfigurationPropertySource source) {
        if (source.getUnderlyingSource() instanceof EnumerablePropertySource<?> underlying) {
            Set<String> names = new LinkedHashSet<>();
            for (String property : underlying.getPropertyNames()) {
                Matcher name = WRITTEN.matcher(property);
                if (name.matches() && !KEPT.matcher(name.group(1)).matches()) {
                    names.add(name.group(1));
                }
            }
            names.forEach(
                    name -> problems.add(
                            RULES + "." + name + ": the name of a rule in a map can have only the letters"
                                    + " a to z, digits, '-' and '_'; change it, or write a list, where a name can have any printable ASCII characters"));
        }
    }

    private void add(ConfigurationPropertyName name) {
        if (name.isNumericIndex(2)) {
            indexed = indexed == null ? name : indexed;
        } else if (name.chop(3).isLastElementIndexed()) {
            problems.add(name + ": the name of a rule in a map cannot be in brackets; use letters, digits, '-' and '_',"
                    + " or write a list");
        } else {
            places.putIfAbsent(name.getElement(2, Form.UNIFORM), name.chop(3));
        }
    }

    /** A variable that does not end with a property of a rule may be meant for another program, unless it begins with a known rule. */
    private void addVariable(ConfigurationPropertyName name, Map<String, ConfigurationPropertyName> known) {
        if (name.isNumericIndex(2)) {
            add(name);
            return;
        }
        StringBuilder rule =
                new StringBuilder(); // HEADGATE_RULES_IP_CEILING_LIMITS is about ip-ceiling, even beside ip
        int afterRule = 0;
        for (int i = 2; i < name.getNumberOfElements(); i++) {
            if (known.containsKey(rule.append(name.getElement(i, Form.UNIFORM)).toString())) {
                afterRule = i + 1;
                if (isWord(name, afterRule)) {
                    return;
                }
            }
        }
        if (afterRule > 0) {
            problems.add(variable(name) + ": there is no such property; use one of "
                    + new TreeSet<>(UnknownSettings.RULE)
                    + Spelling.hint(word(name, afterRule), UnknownSettings.RULE));
        } else if (isWord(name, 3)) {
            add(name);
            onlyVariables.add(name.chop(3));
        }
    }

    /** Whether the elements from that one on are a property of a rule. */
    private static boolean isWord(ConfigurationPropertyName name, int from) {
        return UnknownSettings.isKnown(word(name, from), UnknownSettings.RULE);
    }

    /** The elements from that one on, up to an index. */
    static String word(ConfigurationPropertyName name, int from) {
        StringBuilder word = new StringBuilder();
        for (int i = from; i < name.getNumberOfElements() && !name.isNumericIndex(i); i++) {
            word.append(name.getElement(i, Form.UNIFORM));
        }
        return word.toString();
    }

    private static String variable(ConfigurationPropertyName name) {
        StringBuilder variable = new StringBuilder("HEADGATE");
        for (int i = 1; i < name.getNumberOfElements(); i++) {
            variable.append('_').append(name.getElement(i, Form.UNIFORM).toUpperCase(Locale.ROOT));
        }
        return variable.toString();
    }

    /** Whether no rule is written by its name. */
    boolean isEmpty() {
        return places.isEmpty();
    }

    /** What is wrong with the names. */
    List<String> problems() {
        return List.copyOf(problems);
    }

    /** The prefix of the properties of each rule, in the order of the rules. */
    List<ConfigurationPropertyName> places() {
        return List.copyOf(places.values());
    }

    /** The name of the rule with that prefix. */
    static String name(ConfigurationPropertyName place) {
        return place.getLastElement(Form.ORIGINAL);
    }

    /** Gives the rule with that prefix its name, unless another source does. */
    static ConfigurationPropertySource naming(ConfigurationPropertyName place) {
        ConfigurationPropertyName property = place.append("name");
        return asked -> asked.equals(property) ? new ConfigurationProperty(asked, name(place), null) : null;
    }

    /** What is wrong with a rule that was read from that place; {@code null} if nothing is. */
    @Nullable
    String problem(ConfigurationPropertyName place, RuleProperties rule) {
        if (!rule.name().equals(name(place))) {
            return place + ".name = " + rule.name() + ": in a map, a rule has the name '" + name(place)
                    + "' of its key; remove the property, or change the key";
        }
        if (onlyVariables.contains(place) && rule.path().isEmpty()) {
            List<String> written = places.values().stream()
                    .filter(each -> !onlyVariables.contains(each))
                    .map(NamedRules::name)
                    .toList();
            return variable(place) + "_...: no rule is called '" + name(place) + "'; there are " + written
                    + Spelling.hint(name(place), written);
        }
        return null;
    }
}
