package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.Plan;
import io.headgate.http.CostResolver;
import io.headgate.http.PlanResolver;
import io.headgate.http.Rule;
import io.headgate.http.RuleSource;
import io.headgate.http.Subject;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Limits on methods that are those of a rule, while the rules change. */
@ExtendWith(OutputCaptureExtension.class)
class RuleLimitTest {

    private final Rules rules = new Rules();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
            .withBean(RuleSource.class, () -> rules)
            .withBean("heavy", CostResolver.class, () -> request -> 2)
            .withBean("vip", PlanResolver.class, () -> PlanResolver.of(RuleLimitTest::planOf));

    @Test
    void costsWhatTheRuleSays() {
        with(once(), service -> {
            service.plain("ann");
            assertDenied(() -> service.plain("bob"));
        });
    }

    @Test
    void costsWhatTheAnnotationSaysInstead() {
        with(once(), service -> {
            service.cheap("ann");
            service.cheap("ann");
            assertDenied(() -> service.cheap("ann"));
        });
        with(rule("2/h").costResolver("heavy"), Cheap.class, service -> {
            service.call("ann");
            service.call("ann");
            assertDenied(() -> service.call("ann"));
        });
    }

    /** Such a rule is there for methods only. */
    @Test
    void chargesTheBudgetOfARuleWithoutAPath() {
        with(Rule.named("shared").limits("2/h"), service -> {
            service.plain("ann");
            service.keyed("ann");
            service.plain("bob");
            assertDenied(() -> service.plain("ann"));
            service.keyed("ann");
            assertDenied(() -> service.keyed("ann"));
        });
    }

    @Test
    void asksForThePlanOfAKey() {
        with(rule("1/h").planResolver("vip"), service -> {
            service.keyed("ann");
            assertDenied(() -> service.keyed("ann"));
            service.keyed("vip");
            service.keyed("vip");
            assertDenied(() -> service.keyed("vip"));
        });
    }

    /** It stops a start, but a rule in force is followed whatever it grants: nobody gets more because it grants less. */
    @Test
    void followsARuleThatNeverGrantsTheCost() {
        rejected(rule("2/h"), Dear.class, "a cost of 3 can never be granted under 2/h");
        with(rule("3/h"), Dear.class, service -> {
            rules.become(rule("2/h"));
            assertDenied(() -> service.call("ann"));
        });
        with(rule("2/h").behavior(Rule.Behavior.OFF), Dear.class, service -> {
            service.call("ann");
            rules.become(rule("2/h"));
            assertDenied(() -> service.call("ann"));
        });
    }

    /** The rule does not grant it, but the plan of somebody may. */
    @Test
    void leavesTheCostToThePlans() {
        with(rule("1/h").planResolver("vip"), Twice.class, service -> {
            assertDenied(() -> service.call("ann"));
            service.call("vip");
        });
    }

    @Test
    void doesWithoutAKeyWhatTheRuleSays() {
        with(rule("1/h").missing(Rule.Missing.SKIP), service -> {
            service.keyed(null);
            service.keyed(null);
        });
        with(rule("1/h").missing(Rule.Missing.DENY), service -> assertDenied(() -> service.keyed(null)));
    }

    @Test
    void rejectsWhatMeansNothingBesideARule() {
        rejected(once(), Limits.class, "value");
        rejected(once(), Permits.class, "limit");
        rejected(once(), Window.class, "window");
        rejected(once(), Algorithm.class, "algorithm");
        rejected(once(), Name.class, "name");
        rejected(rule("2/h").costResolver("heavy"), Keyed.class, "cost resolver 'heavy'", "cost");
    }

    @Test
    void limitsNothingUntilTheRuleIsSwitchedOn() {
        with(rule("1/h").behavior(Rule.Behavior.OFF), service -> {
            service.plain("ann");
            service.plain("ann");
            rules.become(rule("1/h"));
            service.plain("ann");
            assertDenied(() -> service.plain("ann"));
        });
    }

    @Test
    void limitsNothingOnceTheRuleIsSwitchedOff() {
        with(rule("1/h"), service -> {
            service.plain("ann");
            assertDenied(() -> service.plain("ann"));
            rules.become(rule("1/h").behavior(Rule.Behavior.OFF));
            service.plain("ann");
            service.plain("ann");
        });
    }

    @Test
    void staysAsItWasWhenTheRuleNoLongerFits(CapturedOutput output) {
        with(rule("1/h"), service -> {
            service.keyed("ann");
            rules.become(rule("5/h").costResolver("heavy"));
            assertDenied(() -> service.keyed("ann"));
            assertThat(output).contains("RuleLimitTest$Service#keyed", "stays as it was", "cost resolver 'heavy'");
            rules.become(Rule.named("other").paths("/").limits("1/h"));
            assertDenied(() -> service.keyed("ann"));
            assertThat(output).contains("no rule is called 'shared'; there are [other]");
        });
    }

    @Test
    void rejectsTheNameOfARule() {
        rejected(once(), Taken.class, "'shared'", "name");
        rejected(rule("1/h").behavior(Rule.Behavior.OFF), Taken.class, "'shared'", "name");
    }

    @Test
    void saysWhenARuleTakesItsName(CapturedOutput output) {
        with(Rule.named("other").paths("/").limits("1/h"), Taken.class, taken -> {
            taken.call();
            rules.become(rule("1/h"));
            assertDenied(taken::call);
            assertThat(output).contains("RuleLimitTest$Taken#call", "stays as it was", "'shared'");
        });
    }

    private static Optional<Plan> planOf(Subject.Present somebody) {
        return somebody.text().endsWith("vip") ? Optional.of(Plan.parse("2/h")) : Optional.empty();
    }

    private static Rule.Builder rule(String limits) {
        return Rule.named("shared").paths("/shared").limits(limits);
    }

    private static Rule.Builder once() {
        return rule("2/h").cost(2);
    }

    private void with(Rule.Builder rule, Consumer<Service> test) {
        with(rule, Service.class, test);
    }

    private <T> void with(Rule.Builder rule, Class<T> type, Consumer<T> test) {
        rules.become(rule);
        application.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(type));
        });
    }

    private void rejected(Rule.Builder rule, Class<?> type, String... said) {
        rules.become(rule);
        application.withBean(type).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).isInstanceOf(InvalidLimitException.class);
            assertThat(context.getStartupFailure().getMessage()).contains(said);
        });
    }

    private static void assertDenied(ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call);
    }

    /** One rule, which changes. */
    private static final class Rules implements RuleSource {

        private List<Rule> now = List.of();
        private Runnable changed = () -> {};

        void become(Rule.Builder rule) {
            now = List.of(rule.build());
            changed.run();
        }

        @Override
        public List<Rule> rules() {
            return now;
        }

        @Override
        public void onChange(Runnable changed) {
            this.changed = changed;
        }
    }

    static class Service {

        @RateLimit(rule = "shared")
        public void plain(String user) {}

        @RateLimit(rule = "shared", key = "#user")
        public void keyed(String user) {}

        @RateLimit(rule = "shared", key = "#user", cost = "1")
        public void cheap(String user) {}
    }

    static class Cheap {

        @RateLimit(rule = "shared", key = "#user", cost = "1")
        public void call(String user) {}
    }

    static class Dear {

        @RateLimit(rule = "shared", key = "#user", cost = "3")
        public void call(String user) {}
    }

    static class Twice {

        @RateLimit(rule = "shared", key = "#user", cost = "2")
        public void call(String user) {}
    }

    static class Keyed {

        @RateLimit(rule = "shared", key = "#user")
        public void call(String user) {}
    }

    static class Limits {

        @RateLimit(rule = "shared", value = "1/h")
        public void call() {}
    }

    static class Permits {

        @RateLimit(rule = "shared", limit = 1)
        public void call() {}
    }

    static class Window {

        @RateLimit(rule = "shared", window = "1h")
        public void call() {}
    }

    static class Algorithm {

        @RateLimit(rule = "shared", algorithm = "sliding-window")
        public void call() {}
    }

    static class Name {

        @RateLimit(rule = "shared", name = "own")
        public void call() {}
    }

    static class Taken {

        @RateLimit(value = "1/h", name = "shared")
        public void call() {}
    }
}
