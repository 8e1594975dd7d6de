package io.headgate.spring.boot.autoconfigure;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.guard.GuardSettings;
import io.headgate.http.Answers;
import io.headgate.http.CostResolver;
import io.headgate.http.DecisionListener;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Listeners;
import io.headgate.http.PlanResolver;
import io.headgate.http.RuleSource;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Subjects;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.memory.MemoryStore;
import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.KeyEncoder;
import io.headgate.spring.RuleReferences;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.actuate.DenialLog;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.sql.init.dependency.DependsOnDatabaseInitialization;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** The beans that do not depend on the web stack: time, store, limiters, subjects, rules, gate and answers. */
@AutoConfiguration
@ConditionalOnEnabled
@EnableConfigurationProperties(HeadgateProperties.class)
public final class HeadgateAutoConfiguration {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final HeadgateProperties properties;
    private final Environment environment;
    private final List<ConfiguredRule> rules;

    HeadgateAutoConfiguration(Environment environment, HeadgateProperties properties) {
        this.environment = environment;
        this.properties = properties;
        this.rules = ConfiguredRule.all(environment, properties.rules(), HeadgateAutoConfiguration::stop, e -> {
            throw e;
        });
    }

    private static void stop(String problem) {
        throw new InvalidSettingException(List.of(problem));
    }

    @Bean
    static NamesCheck headgateNamesCheck() {
        return new NamesCheck();
    }

    @Bean
    @ConditionalOnMissingBean
    TimeSource headgateTimeSource() {
        return TimeSource.system();
    }

    @Bean
    @ConditionalOnMissingBean
    Algorithms headgateAlgorithms(ObjectProvider<Algorithm<?>> own) {
        Algorithms algorithms = Headgate.algorithms();
        for (Algorithm<?> algorithm : own.orderedStream().toList()) {
            algorithms = algorithms.with(algorithm);
        }
        return algorithms;
    }

    @Bean
    @ConditionalOnMissingBean(Store.class)
    MemoryStore headgateStore(Algorithms algorithms, TimeSource time) {
        Set<String> unused = UnknownSettings.under("headgate.redis", environment);
        if (!unused.isEmpty()) {
            LOG.warn(
                    "no effect of " + String.join(", ", unused) + ": counts are kept in memory, by each instance on its"
                            + " own; set headgate.store=redis, or remove these settings");
        }
        return memory(properties, algorithms, time);
    }

    static MemoryStore memory(HeadgateProperties properties, Algorithms algorithms, TimeSource time) {
        return new MemoryStore(algorithms, time, properties.maxKeys());
    }

    /** Puts a guard, and a {@link StoreWatch} if there is one, around a store that can fail. An in-process store cannot. */
    @Bean
    @ConditionalOnMissingBean
    Headgate headgate(
            Store store, TimeSource time, ObjectProvider<Algorithm<?>> own, ObjectProvider<StoreWatch> watch) {
        Headgate.Builder headgate = Headgate.builder().store(store).timeSource(time);
        headgate.maxKeys(properties.maxKeys());
        own.orderedStream().forEach(headgate::algorithm);
        if (!store.inProcess()) {
            watch.ifAvailable(watcher -> headgate.store(watcher.watched(store)));
            headgate.guard(guard());
        }
        return headgate.build();
    }

    private GuardSettings guard() {
        HeadgateProperties.Guard guard = properties.guard();
        GuardSettings settings = GuardSettings.DEFAULT
                .deadline(guard.deadline())
                .callsInFlight(guard.callsInFlight())
                .failures(guard.failures())
                .openFor(guard.openFor());
        settings = guard.openGrace() == null ? settings : settings.openGrace(guard.openGrace());
        return properties.instances() == null ? settings : settings.instances(properties.instances());
    }

    @Bean
    @ConditionalOnMissingBean
    LedgerFactory headgateLedgers(Headgate headgate, ObjectProvider<KeyEncoder> encoder) {
        LedgerFactory ledgers = LedgerFactory.of(headgate);
        KeyEncoder names = encoder.getIfAvailable();
        return names == null
                ? ledgers
                : (scope, plan, policy) -> new EncodedLedger(scope, ledgers.bind(scope, plan, policy), names);
    }

    @Bean
    @ConditionalOnMissingBean
    Subjects headgateSubjects(Map<String, SubjectResolver> own) {
        StandardSubjects.Builder subjects = StandardSubjects.builder();
        try {
            subjects.custom(own);
        } catch (IllegalArgumentException e) {
            throw new InvalidSettingException(
                    "the name of a SubjectResolver bean",
                    null,
                    String.valueOf(e.getMessage()),
                    "Give the bean another name.",
                    e);
        }
        properties.trustedProxies().stream()
                .filter(StandardSubjects::isEverybody)
                .forEach(block ->
                        LOG.warn("headgate.trusted-proxies = " + block + " trusts every client to say who it is:"
                                + " with another address in each " + properties.forwardedHeader()
                                + " header it is never limited; list only your own proxies, such as 10.0.0.0/8"));
        return subjects.forwardedHeader(properties.forwardedHeader())
                .v6Prefix(properties.ipv6Prefix())
                .trustedProxies(properties.trustedProxies())
                .build();
    }

    @Bean
    @ConditionalOnMissingBean
    FailurePolicy headgateFailurePolicy() {
        return properties.onStoreFailure();
    }

    @Bean
    @Lazy(false) // polling for changes begins at start-up
    @ConditionalOnMissingBean
    @DependsOnDatabaseInitialization // the application may create the rule table at start-up
    RuleSource headgateRuleSource(FailurePolicy usual, TimeSource time, BeanFactory beans) {
        return new RuleSources(properties, rules, usual, time, beans).source();
    }

    @Bean
    @ConditionalOnMissingBean
    RuleCompiler headgateRuleCompiler(
            Subjects subjects,
            LedgerFactory limiters,
            TimeSource time,
            Map<String, CostResolver> costs,
            Map<String, PlanResolver> plans) {
        Setting.checkAlgorithm(properties.algorithm(), limiters);
        RuleCompiler compiler =
                new RuleCompiler(subjects, limiters, time, costs, plans).defaultAlgorithm(properties.algorithm());
        return properties.ignoreCase() ? compiler.ignoringCase() : compiler;
    }

    @Bean
    @Lazy(false) // invalid rules stop the start-up instead of failing the first request
    @ConditionalOnMissingBean
    RuleStore headgateRuleStore(RuleSource source, RuleCompiler compiler) {
        return new LiveRuleStore(source, compiler, rules);
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnBooleanProperty("headgate.denial-log.enabled")
    DenialLog headgateDenialLog(TimeSource time) {
        HeadgateProperties.DenialLog log = properties.denialLog();
        return Setting.use(
                "headgate.denial-log.per-second", log.perSecond(), lines -> new DenialLog(time, lines, log.secret()));
    }

    @Bean
    @ConditionalOnMissingBean
    Listeners headgateListeners(ObjectProvider<DecisionListener> listeners) {
        return Listeners.of(listeners.orderedStream().toList());
    }

    @Bean
    @ConditionalOnMissingBean
    Gate headgateGate(Listeners listeners) {
        return new Gate(listeners);
    }

    @Bean
    @ConditionalOnMissingBean
    Answers headgateAnswers(TimeSource time) {
        return new StandardAnswers(time, properties.headers());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT) // each context has its own handlers
    StartupReport headgateStartupReport(
            Store store,
            RuleStore rules,
            ObjectProvider<AnnotatedLimits> annotations,
            ObjectProvider<RuleReferences> references,
            ObjectProvider<Endpoints> endpoints) {
        return new StartupReport(
                store,
                rules,
                annotations.getIfAvailable(() -> List::of),
                references.orderedStream().toList(),
                endpoints.orderedStream().toList(),
                properties.ignoreCase());
    }
}
