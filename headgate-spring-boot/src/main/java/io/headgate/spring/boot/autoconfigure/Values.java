package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.Spelling;
import io.headgate.http.Rule;
import io.headgate.http.rule.UnresolvedPlaceholder;
import io.headgate.spring.boot.source.RuleReader;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.core.ResolvableType;

/** Says of a value that cannot be read what is allowed instead, with an example to copy. */
final class Values {

    /** The meaning of values that the value alone does not tell. */
    private static final Map<Enum<?>, String> MEANING = Map.ofEntries(
            Map.entry(Rule.Match.FIRST, "only the first rule that matches is checked"),
            Map.entry(Rule.Match.ALL, "checked in addition to other rules"),
            Map.entry(Rule.Behavior.ENFORCE, "denies requests"),
            Map.entry(Rule.Behavior.SHADOW, "a dry run: decides and reports, but denies nothing"),
            Map.entry(Rule.Behavior.OFF, "disabled"),
            Map.entry(Rule.Missing.FALL_BACK, "limited by its address"),
            Map.entry(Rule.Missing.SKIP, "not limited"),
            Map.entry(Rule.Missing.DENY, "denied"),
            Map.entry(Rule.Stage.FILTER, "before Spring Security"),
            Map.entry(Rule.Stage.HANDLER, "right before the handler"),
            Map.entry(FailurePolicy.LOCAL, "limited by this instance alone"),
            Map.entry(FailurePolicy.OPEN, "allowed"),
            Map.entry(FailurePolicy.CLOSED, "denied"),
            Map.entry(HeadgateProperties.StoreKind.MEMORY, "each instance for itself"),
            Map.entry(HeadgateProperties.StoreKind.REDIS, "shared by all instances"));

    /** Words of others for our values. */
    private static final Map<String, Set<Enum<?>>> SYNONYMS = Map.of(
            "any", Set.of(Rule.Match.ALL),
            "both", Set.of(Rule.Match.ALL),
            "deny", Set.of(FailurePolicy.CLOSED),
            "allow", Set.of(FailurePolicy.OPEN, Rule.Missing.SKIP));

    /** Shorter words are in too many meanings. */
    private static final int SHORTEST_MEANING = 4;

    /** Examples of the properties that have properties of their own. */
    private static final Map<Class<?>, String> EXAMPLES = Map.of(
            HeadgateProperties.RuleFile.class, "location: /etc/headgate/rules.yml",
            HeadgateProperties.RuleTable.class, "name: headgate_rule",
            HeadgateProperties.DenialLog.class, "enabled: true",
            HeadgateProperties.Guard.class, "deadline: 100ms",
            HeadgateProperties.Redis.class, "timeout: 1s (the address of Redis is set under spring.data.redis)");

    private static final String RULES = """
            , for example
                headgate:
                  rules:
                    - name: api
                      path: /api/**
                      limits: 100/min""";

    private static final String CLIENTS = """
            , for example
                headgate:
                  clients:
                    - name: payments
                      hosts: [api.example.com]
                      limits: 50/s""";

    private Values() {}

    /** What is wrong with the value that could not be read, and what is allowed instead. */
    static String problem(BindException unread) {
        if (unread.getCause() instanceof UnboundConfigurationPropertiesException) {
            return "is a list with a gap; number its elements from 0 on";
        }
        ResolvableType target = unread.getTarget().getType();
        boolean several = Collection.class.isAssignableFrom(target.resolve(Object.class));
        Class<?> type = (several ? target.getGeneric() : target).resolve(Object.class);
        ConfigurationProperty property = unread.getProperty();
        String value = property == null ? "" : String.valueOf(property.getValue());
        if (type == RuleProperties.class) {
            return (several ? "must be a list of rules" : "must be a rule with properties") + RULES;
        }
        if (type == ClientProperties.class) {
            return (several ? "must be a list of clients" : "must be a client with properties") + CLIENTS;
        }
        if (UnresolvedPlaceholder.in(value)) {
            String example = example(unread.getTarget(), type);
            return unread.getName().toString().startsWith(RuleReader.ROOT)
                    ? UnresolvedPlaceholder.problemOfRule(value, example)
                    : UnresolvedPlaceholder.problem(value, example);
        }
        String word = unread.getName().getLastElement(Form.DASHED);
        if (type.isRecord()) {
            return "has no value of its own but the properties " + new TreeSet<>(UnknownSettings.words(type))
                    + ", for example " + word + "." + EXAMPLES.get(type);
        }
        String allowed = "must be " + allowed(type);
        return meant(type, value)
                .map(meant -> allowed + "; did you mean " + word + ": " + meant + "?")
                .orElse(allowed + ", for example " + word + ": " + example(unread.getTarget(), type));
    }

    /** The word that is spelt alike, that others use the value for, or whose meaning contains the value. */
    private static Optional<String> meant(Class<?> type, String value) {
        if (!type.isEnum()) {
            return Optional.empty();
        }
        return Spelling.closest(value, constants(type).map(Values::word).toList())
                .or(() -> constants(type)
                        .filter(each -> isSynonym(value, each) || isInMeaning(value.replace('-', ' '), each))
                        .map(Values::word)
                        .findFirst());
    }

    private static boolean isSynonym(String value, Enum<?> constant) {
        return SYNONYMS.getOrDefault(value.toLowerCase(Locale.ROOT), Set.of()).contains(constant);
    }

    private static boolean isInMeaning(String value, Enum<?> constant) {
        return value.length() >= SHORTEST_MEANING
                && Pattern.compile("\\b" + Pattern.quote(value) + "\\b")
                        .matcher(MEANING.getOrDefault(constant, ""))
                        .find();
    }

    private static String allowed(Class<?> type) {
        if (type.isEnum()) {
            return "one of "
                    + String.join(", ", constants(type).map(Values::explained).toList());
        }
        if (type == Duration.class) {
            return "a duration";
        }
        if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        }
        return type.isPrimitive() || Number.class.isAssignableFrom(type) ? "a whole number" : "text";
    }

    private static String example(Bindable<?> target, Class<?> type) {
        DefaultValue usual = target.getAnnotation(DefaultValue.class);
        if (usual != null && usual.value().length > 0) {
            return usual.value()[0];
        }
        return type.isEnum()
                ? constants(type).map(Values::word).findFirst().orElse("")
                : type == Duration.class ? "5s" : "1";
    }

    private static Stream<Enum<?>> constants(Class<?> type) {
        return Arrays.stream(type.getEnumConstants()).map(each -> (Enum<?>) each);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static String explained(Enum<?> value) {
        String meaning = MEANING.get(value);
        return meaning == null ? word(value) : word(value) + " (" + meaning + ")";
    }
}
