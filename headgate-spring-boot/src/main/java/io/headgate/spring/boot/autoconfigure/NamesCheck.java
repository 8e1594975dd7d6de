package io.headgate.spring.boot.autoconfigure;

import static org.springframework.context.ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME;

import io.headgate.Algorithm;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.http.CostResolver;
import io.headgate.http.LedgerFactory;
import io.headgate.http.PlanResolver;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.env.Environment;

/**
 * Checks the rules against the names of the beans that they refer to, and the store against what is there, before any bean is created:
 * of a bean that cannot be created, Spring prints a chain of exceptions. Where the application replaces one of our beans, that bean
 * finds out later.
 */
final class NamesCheck implements BeanFactoryPostProcessor {

    private static final List<String> OF_RULES =
            List.of("headgateRuleSource", "headgateRuleStore", "headgateRuleCompiler", "headgateSubjects");
    private static final List<String> OF_LIMITS = List.of("headgateAlgorithms", "headgateLedgers", "headgate");

    @Override
    public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
        if (Boolean.getBoolean("spring.aot.processing")) {
            return;
        }
        SettingsCheck check = new SettingsCheck(beans.getBean(ENVIRONMENT_BEAN_NAME, Environment.class));
        HeadgateProperties properties = check.properties();
        if (properties.store() == HeadgateProperties.StoreKind.REDIS
                && Arrays.equals(names(beans, Store.class), new String[] {"headgateStore"})) {
            check.add(MissingRedis.in(beans.getBeanClassLoader()));
        }
        LedgerFactory limiters = limiters(beans);
        boolean algorithm = check.checkAlgorithm(limiters);
        check.addProblemsOfClients(limiters);
        if (OF_RULES.stream().allMatch(beans::containsBeanDefinition)) {
            addProblemsOfRules(check, algorithm, limiters, beans);
        }
        check.stopIfWrong();
    }

    /** @param algorithm whether there is the algorithm of rules that name none, which are not blamed for it */
    private static void addProblemsOfRules(
            SettingsCheck check, boolean algorithm, LedgerFactory limiters, ConfigurableListableBeanFactory beans) {
        StandardSubjects.Builder subjects = StandardSubjects.builder();
        try {
            subjects.custom(named(beans, SubjectResolver.class, request -> Subject.absent()));
        } catch (IllegalArgumentException e) {
            return; // the bean of the subjects names the bean with that name
        }
        HeadgateProperties properties = check.properties();
        RuleCompiler compiler = new RuleCompiler(
                subjects.build(),
                limiters,
                TimeSource.system(),
                named(beans, CostResolver.class, request -> 1),
                named(beans, PlanResolver.class, PlanResolver.of(subject -> Optional.empty())));
        compiler = algorithm ? compiler.defaultAlgorithm(properties.algorithm()) : compiler;
        compiler = properties.ignoreCase() ? compiler.ignoringCase() : compiler;
        check.addProblemsOfRules(compiler);
        if (properties.ruleFile() != null) {
            try {
                RuleSources sources =
                        new RuleSources(properties, List.of(), FailurePolicy.LOCAL, TimeSource.system(), beans);
                new LiveRuleStore(sources.source(), compiler, List.of());
            } catch (InvalidSettingException e) {
                check.add(e);
            }
        }
    }

    /** Limiters that know the built-in algorithms, or, if the application may have others, every algorithm. */
    private static LedgerFactory limiters(ConfigurableListableBeanFactory beans) {
        Headgate headgate = Headgate.builder().build();
        boolean builtIn = OF_LIMITS.stream().allMatch(beans::containsBeanDefinition)
                && names(beans, Algorithm.class).length == 0
                && Stream.of(names(beans, Store.class)).allMatch(name -> name.startsWith("headgate"));
        Ledger any = headgate.store().bind("any", Plan.parse("1/s"));
        return builtIn ? LedgerFactory.of(headgate) : (scope, plan, policy) -> any;
    }

    private static <T> Map<String, T> named(ConfigurableListableBeanFactory beans, Class<T> type, T instead) {
        return Stream.of(names(beans, type)).collect(Collectors.toMap(Function.identity(), name -> instead));
    }

    private static String[] names(ConfigurableListableBeanFactory beans, Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false);
    }
}
