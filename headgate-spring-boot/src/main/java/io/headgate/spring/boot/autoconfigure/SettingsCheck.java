package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.TimeSource;
import io.headgate.guard.GuardSettings;
import io.headgate.http.InvalidRulesException;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.client.OutgoingClient;
import io.headgate.http.client.OutgoingLimits;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.rule.UnresolvedPlaceholder;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.memory.MemoryStore;
import io.headgate.spring.boot.actuate.DenialLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.PropertySourcesPlaceholdersResolver;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.Environment;

/** Collects everything that is wrong with the settings: names, values, their meaning, and what the rules say. */
final class SettingsCheck {

    private final List<InvalidSettingException> problems = new ArrayList<>();
    private final HeadgateProperties properties;
    private final List<ConfiguredRule> rules;
    private boolean unread;

    /** Checks everything but the rules. */
    SettingsCheck(Environment environment) {
        UnknownSettings.problems(environment).forEach(this::add);
        this.properties = new CollectingBinder(
                        ConfigurationPropertySources.get(environment),
                        new PropertySourcesPlaceholdersResolver(environment))
                .bind(ConfigurationPropertyName.of("headgate"), Bindable.of(HeadgateProperties.class), this::addUnread);
        this.rules = ConfiguredRule.all(environment, properties.rules(), this::add, this::addUnread);
        useEach();
        List<String> places = RuleSources.places(properties, rules);
        if (places.size() > 1) {
            add(String.join(" and ", places)
                    + ": rules can be configured in only one of these places; remove all but one of them");
        }
    }

    /** The settings, without the values that cannot be read. */
    HeadgateProperties properties() {
        return properties;
    }

    /** The rules in the settings. */
    List<Rule> rules() {
        return rules.stream().map(each -> each.rule().rule(FailurePolicy.LOCAL)).toList();
    }

    /** Whether the algorithm of rules that name none is a placeholder that nobody has filled in. */
    boolean isAlgorithmUnset() {
        return UnresolvedPlaceholder.in(properties.algorithm());
    }

    /** Whether there is the algorithm of rules that name none; if not, it is a problem. */
    boolean checkAlgorithm(LedgerFactory limiters) {
        if (isAlgorithmUnset()) {
            return false; // which is a problem already
        }
        try {
            Setting.checkAlgorithm(properties.algorithm(), limiters);
            return true;
        } catch (InvalidSettingException e) {
            add(e);
            return false;
        }
    }

    /** @param limiters know the algorithms, or any */
    void addProblemsOfClients(LedgerFactory limiters) {
        List<OutgoingClient> clients = properties.clients().stream()
                .map(each -> each.client(FailurePolicy.LOCAL))
                .toList();
        String usual = isAlgorithmUnset() ? Limit.DEFAULT_ALGORITHM : properties.algorithm();
        for (int i = 0; i < clients.size(); i++) {
            OutgoingClient client = clients.get(i);
            String place =
                    "headgate.clients[" + i + "]" + (client.name().isBlank() ? "" : ", client '" + client.name() + "'");
            OutgoingLimits.problems(client, limiters, usual).forEach(problem -> add(place + ": " + problem));
        }
        OutgoingLimits.conflicts(clients).forEach(problem -> add("headgate.clients: " + problem));
    }

    void addProblemsOfRules(RuleCompiler compiler) {
        List<String> found = problemsOfRules(compiler);
        if (!found.isEmpty()) {
            LiveRuleStore.described(found, rules).forEach(this::add);
        }
    }

    /** What is wrong with the rules. If a value was left out, nothing is known of how they affect each other. */
    List<String> problemsOfRules(RuleCompiler compiler) {
        List<String> found = new ArrayList<>(problems(compiler, rules()));
        if (unread && !found.isEmpty()) {
            Set<String> alone = new HashSet<>(RuleCompiler.problems(rules()));
            rules().forEach(rule -> alone.addAll(problems(compiler, List.of(rule))));
            found.retainAll(alone);
        }
        return found;
    }

    private static List<String> problems(RuleCompiler compiler, List<Rule> rules) {
        try {
            compiler.compile(rules);
            return List.of();
        } catch (InvalidRulesException e) {
            return e.problems();
        }
    }

    void add(InvalidSettingException problem) {
        problems.add(problem);
    }

    private void add(String problem) {
        add(new InvalidSettingException(List.of(problem)));
    }

    /** @throws InvalidSettingException with every problem, if there is one */
    void stopIfWrong() {
        if (problems.size() == 1) {
            throw problems.get(0);
        }
        if (!problems.isEmpty()) {
            throw new InvalidSettingException(
                    problems.stream().map(InvalidSettingException::getMessage).toList());
        }
    }

    private void addUnread(BindException e) {
        unread = true;
        ConfigurationProperty property = e.getProperty();
        if (e.getCause() instanceof UnboundConfigurationPropertiesException gap) {
            gap.getUnboundProperties().forEach(this::addUnread);
        } else {
            add((property == null ? e.getName() : named(property)) + ": " + Values.problem(e));
        }
    }

    /** Of an element with nothing but unknown properties enough has been said. */
    private void addUnread(ConfigurationProperty afterGap) {
        String name = UnknownSettings.written(afterGap);
        if (problems.stream()
                .noneMatch(said -> String.valueOf(said.getMessage()).startsWith(name))) {
            add(name + ": is not read, because the list has a gap; number its elements from 0 on"
                    + (isOfRule(afterGap) ? ", or begin the name of a rule in a map with a letter" : ""));
        }
    }

    /** Whether a number as the name of a rule was taken for its place in a list. */
    private static boolean isOfRule(ConfigurationProperty property) {
        ConfigurationPropertyName name = property.getName();
        return name.getNumberOfElements() == 4 && name.isNumericIndex(2);
    }

    private static String named(ConfigurationProperty property) {
        return UnknownSettings.written(property) + " = " + property.getValue();
    }

    private void useEach() {
        HeadgateProperties.Guard guard = properties.guard();
        GuardSettings usual = GuardSettings.DEFAULT;
        isFilledIn("headgate.algorithm", properties.algorithm(), "sliding-window");
        use("headgate.max-keys", properties.maxKeys(), MemoryStore::checkedMaxKeys);
        HeadgateProperties.DenialLog log = properties.denialLog();
        use(
                "headgate.denial-log.per-second",
                log.perSecond(),
                lines -> new DenialLog(TimeSource.system(), lines, log.secret()));
        use("headgate.guard.deadline", guard.deadline(), usual::deadline);
        use("headgate.guard.calls-in-flight", guard.callsInFlight(), usual::callsInFlight);
        use("headgate.guard.failures", guard.failures(), usual::failures);
        use("headgate.guard.open-for", guard.openFor(), usual::openFor);
        use("headgate.guard.open-grace", guard.openGrace(), usual::openGrace);
        use("headgate.instances", properties.instances(), usual::instances);
        StandardSubjects.Builder subjects = StandardSubjects.builder();
        if (isFilledIn("headgate.forwarded-header", properties.forwardedHeader(), "X-Forwarded-For")) {
            use("headgate.forwarded-header", properties.forwardedHeader(), subjects::forwardedHeader);
        }
        use("headgate.ipv6-prefix", properties.ipv6Prefix(), subjects::v6Prefix);
        List<String> proxies = properties.trustedProxies();
        if (proxies.stream()
                .filter(each -> !isFilledIn("headgate.trusted-proxies", each, "10.0.0.0/8"))
                .toList()
                .isEmpty()) {
            use(
                    "headgate.trusted-proxies",
                    proxies,
                    blocks -> subjects.trustedProxies(blocks).build());
        }
    }

    private boolean isFilledIn(String property, String value, String example) {
        boolean unresolved = UnresolvedPlaceholder.in(value);
        if (unresolved) {
            add(property + " = " + value + ": " + UnresolvedPlaceholder.problem(value, example));
        }
        return !unresolved;
    }

    private <T> void use(String property, @Nullable T value, Function<? super T, ?> step) {
        if (value != null) {
            try {
                Setting.use(property, value, step);
            } catch (InvalidSettingException e) {
                add(e);
            }
        }
    }
}
