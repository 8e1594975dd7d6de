package io.headgate.spring.autoconfigure;

import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.context.properties.source.UnboundElementsSourceFilter;
import org.springframework.boot.origin.PropertySourceOrigin;
import org.springframework.core.env.Environment;

/** Rejects misspelt properties: a limit that is not read would not be enforced. */
final class UnknownSettings {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("headgate");

    /** The properties of a rule. */
    static final Set<String> RULE = words(RuleProperties.class);

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
                    + " table, set headgate.rule-file.location or headgate.rule-table.name.";

    private UnknownSettings() {}

    /** @throws InvalidSettingException for the first unknown property */
    static void refuse(Environment environment) {
        UnboundElementsSourceFilter ours = new UnboundElementsSourceFilter();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource names) {
                boolean all = ours.apply(source);
                names.filter(ROOT::isAncestorOf)
                        .filter(name -> all || isOfRule(name))
                        .forEach(name -> check(name, names));
            }
        }
    }

    /** The environment may contain similar names that other programs read, but hardly with the index of a rule. */
    private static boolean isOfRule(ConfigurationPropertyName name) {
        return name.getNumberOfElements() > 3
                && name.getElement(1, Form.UNIFORM).equals("rules")
                && name.isNumericIndex(2);
    }

    private static void check(ConfigurationPropertyName name, ConfigurationPropertySource source) {
        String first = name.getElement(1, Form.UNIFORM);
        refuseUnless(TOP, first, name, source);
        if (name.getNumberOfElements() > 2) {
            if (name.isNumericIndex(2)) {
                if (isOfRule(name)) {
                    refuseUnless(RULE, wordOfRule(name), name, source);
                }
            } else if (first.equals("rules") && name.getNumberOfElements() > 3) {
                refuseUnless(RULE, wordOfRule(name), name, source);
            } else {
                refuseUnless(NESTED.getOrDefault(first, Set.of()), name.getElement(2, Form.UNIFORM), name, source);
            }
        }
    }

    /** The property of a rule, up to an index: {@code ON_STORE_FAILURE} in the environment is one property in three elements. */
    private static String wordOfRule(ConfigurationPropertyName name) {
        StringBuilder word = new StringBuilder();
        for (int i = 3; i < name.getNumberOfElements() && !name.isNumericIndex(i); i++) {
            word.append(name.getElement(i, Form.UNIFORM));
        }
        return word.toString();
    }

    private static void refuseUnless(
            Set<String> known, String word, ConfigurationPropertyName name, ConfigurationPropertySource source) {
        if (known.stream().noneMatch(each -> each.replace("-", "").equals(word))) {
            var property = source.getConfigurationProperty(name);
            throw new InvalidSettingException(
                    property != null && property.getOrigin() instanceof PropertySourceOrigin origin
                            ? origin.getPropertyName()
                            : name.toString(),
                    property == null ? null : property.getValue(),
                    "there is no such property",
                    remedy(known, name),
                    null);
        }
    }

    private static String remedy(Set<String> known, ConfigurationPropertyName name) {
        if (name.getElement(1, Form.UNIFORM).equals("rules") && known.isEmpty()) {
            return ELSEWHERE;
        }
        return known.isEmpty() ? "Remove it." : "Remove it, or use one of " + new TreeSet<>(known) + ".";
    }

    private static Set<String> words(Class<?> properties) {
        return Arrays.stream(properties.getRecordComponents())
                .map(RecordComponent::getName)
                .map(name -> name.replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
    }
}
