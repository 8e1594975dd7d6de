package io.headgate.spring.boot.autoconfigure;

import io.headgate.Spelling;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;

/** Finds misspelt properties: a limit that is not read would not be enforced. */
final class UnknownSettings {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("headgate");

    /** The properties of a rule. */
    static final Set<String> RULE = words(RuleProperties.class);

    private static final Set<String> CLIENT = words(ClientProperties.class);

    private static final Set<String> TOP = words(HeadgateProperties.class);
    private static final Map<String, Set<String>> NESTED = Map.of(
            "redis", words(HeadgateProperties.Redis.class),
            "deniallog", words(HeadgateProperties.DenialLog.class),
            "guard", words(HeadgateProperties.Guard.class),
            "rulefile", words(HeadgateProperties.RuleFile.class),
            "ruletable", words(HeadgateProperties.RuleTable.class));

    /** The remedy for a value directly under {@code headgate.rules}, which is a list of rules or a map by name. */
    private static final String ELSEWHERE =
            "headgate.rules is a list, or a map by name such as headgate.rules.api.limits; to read rules from a file or a"
                    + " table, set headgate.rule-file.location or headgate.rule-table.name";

    /** The value of a misspelt secret is no less a secret. */
    private static final Pattern SECRETS = Pattern.compile("(?i)secret|passw|token|credential|key(?!-?pref)|bypass");

    private UnknownSettings() {}

    /** What to say about each unknown property. */
    static Set<String> problems(Environment environment) {
        Set<String> problems = new LinkedHashSet<>();
        UnboundElementsSourceFilter ours = new UnboundElementsSourceFilter();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                boolean all = ours.apply(source);
                names.filter(ROOT::isAncestorOf)
                        .filter(name -> all || isOfRule(name))
                        .forEach(name -> check(name, names, problems));
            }
        }
        return problems;
    }

    /** The properties under a prefix, as they were written. */
    static Set<String> under(String prefix, Environment environment) {
        ConfigurationPropertyName root = ConfigurationPropertyName.of(prefix);
        Set<String> written = new TreeSet<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                names.filter(root::isAncestorOf).forEach(name -> written.add(written(name, names)));
            }
        }
        return written;
    }

    /** The environment may contain similar names that other programs read, but hardly with the index of a rule or a client. */
    private static boolean isOfRule(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 3
                && Set.of("rules", "clients").contains(name.getElement(1, Form.UNIFORM))
                && name.isNumericIndex(2);
    }

    private static void check(
            ConfigurationPropertyName name, ConfigurationPropertySource source, Set<String> problems) {
        String first = name.getElement(1, Form.UNIFORM);
        if (!isKnown(first, TOP)) {
            problems.add(problem(TOP, name.getElement(1, Form.DASHED), name, source));
        } else if (first.equals("rules") && name.getNumberOfElements() > 3) {
            if (!isKnown(wordOfRule(name), RULE)) {
                problems.add(problem(RULE, wordOfRule(name), name, source));
            }
        } else if (first.equals("clients") && name.getNumberOfElements() > 3 && name.isNumericIndex(2)) {
            if (!isKnown(wordOfRule(name), CLIENT)) {
                problems.add(problem(CLIENT, wordOfRule(name), name, source));
            }
        } else if (name.getNumberOfElements() > 2 && !name.isNumericIndex(2)) {
            Set<String> nested = NESTED.getOrDefault(first, Set.of());
            if (!isKnown(name.getElement(2, Form.UNIFORM), nested)) {
                problems.add(problem(nested, name.getElement(2, Form.DASHED), name, source));
            }
        }
    }

    /** The property of a rule, up to an index: {@code ON_STORE_FAILURE} in the environment is one property in three elements. */
    private static String wordOfRule(ConfigurationPropertyName name) {
        return NamedRules.word(name, 3);
    }

    /** Whether a word without hyphens is one of those with hyphens. */
    static boolean isKnown(String word, Set<String> known) {
        return known.stream().anyMatch(each -> each.replace("-", "").equals(word));
    }

    private static String problem(
            Set<String> known, String word, ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        String names = word
                + ' '
                + name.getLastElement(Form.UNIFORM)
                + ' '
                + Spelling.closest(word, known).orElse("");
        boolean secret = SECRETS.matcher(names).find();
        return written(name, source) + (property == null || secret ? "" : " = " + property.getValue())
                + ": there is no such property" + remedy(known, word, name);
    }

    private static String written(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        ConfigurationProperty property = source.getConfigurationProperty(name);
        return property == null ? name.toString() : written(property);
    }

    /** The name as it was written, such as that of a variable of the environment. */
    static String written(ConfigurationProperty property) {
        return property.getOrigin() instanceof PropertySourceOrigin origin
                ? origin.getPropertyName()
                : property.getName().toString();
    }

    private static String remedy(Set<String> known, String word, ConfigurationPropertyName name) {
        if (known.isEmpty()) {
            return switch (name.getElement(1, Form.UNIFORM)) {
                case "rules" -> "; " + ELSEWHERE;
                case "clients" -> "; headgate.clients is a list, such as headgate.clients[0].name";
                default -> "; remove it";
            };
        }
        return "; use one of " + new TreeSet<>(known) + Spelling.hint(word, known);
    }

    /** The properties of a record, as they are written. */
    static Set<String> words(Class<?> properties) {
        return Arrays.stream(properties.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }
}
