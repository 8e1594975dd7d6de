package io.headgate.spring.boot.autoconfigure;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Plan;
import io.headgate.TimeSource;
import io.headgate.http.LedgerFactory;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import java.util.Arrays;
import java.util.Map;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Checks the settings before the context is refreshed, so that the message is all that a user sees: of a context that cannot be
 * refreshed, Spring prints a line of its own. Settings that use names which are not built in are left to {@link NamesCheck}.
 */
final class SettingsCheckInitializer implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    private static final LedgerFactory LIMITERS =
            LedgerFactory.of(Headgate.builder().build());
    private static final Ledger LEDGER = LIMITERS.bind("any", Plan.parse("1/s"), FailurePolicy.LOCAL);

    /** Limiters with whatever algorithms the application may add. */
    private static final LedgerFactory ANY = (scope, plan, policy) -> LEDGER;

    private static final RuleCompiler BUILT_IN =
            new RuleCompiler(StandardSubjects.builder().build(), LIMITERS, TimeSource.system(), Map.of(), Map.of());

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        // While an application is compiled ahead of time, its environment is not the one that it will run in.
        if (!Boolean.getBoolean("spring.aot.processing") && isInUse(context.getEnvironment())) {
            SettingsCheck check = new SettingsCheck(context.getEnvironment());
            if ((check.isAlgorithmUnset() || check.checkAlgorithm(LIMITERS)) && isKnownWithoutBeans(check)) {
                check.addProblemsOfClients(ANY);
                check.addProblemsOfRules(BUILT_IN);
                check.stopIfWrong();
            }
        }
    }

    /** Whether the beans of the application cannot change what is wrong with the rules. */
    private static boolean isKnownWithoutBeans(SettingsCheck check) {
        return RuleCompiler.problems(check.rules()).containsAll(check.problemsOfRules(BUILT_IN));
    }

    private static boolean isInUse(Environment environment) {
        return ConditionalOnEnabled.Enabled.isEnabled(environment)
                && Arrays.stream(Binder.get(environment)
                                .bind("spring.autoconfigure.exclude", String[].class)
                                .orElse(new String[0]))
                        .noneMatch(HeadgateAutoConfiguration.class.getName()::equals);
    }
}
