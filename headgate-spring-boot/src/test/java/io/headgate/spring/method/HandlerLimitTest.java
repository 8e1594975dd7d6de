package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleValidation;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RequestCharges;
import io.headgate.spring.RuleLines;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ReflectionUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.service.annotation.GetExchange;

/** Limits on methods that handle requests. */
class HandlerLimitTest {

    private final WebApplicationContextRunner application = new WebApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
            .withPropertyValues(new RuleLines()
                    .rule("api", "/api", "limits=10/h", "cost=2")
                    .rule("off", "/off", "behavior=off")
                    .and());

    /** Spring finds the mappings of interfaces, so their handlers are limited by address as well. */
    @Test
    void findsMappingsOnInterfaces() {
        onRequest(AnnotatedMethod.class, (context, rules) -> {
            assertThat(rules).hasSize(1);
            context.getBean(Gate.class).check(new Request("/declared"), rules);
            assertThat(rules.get(0).limiter().peek("ip:10.0.0.1").remaining()).isZero();
            assertThat(rules.get(0).limiter().peek("ip:10.0.0.2").remaining()).isOne();
        });
        onRequest(Exchanged.class, (context, rules) -> assertThat(rules).hasSize(1));
    }

    @Test
    void rejectsAFallbackThatWouldNotBeCalled() {
        rejected(FallsBack.class, "fallback", "needs a key");
        onRequest(FallsBackByKey.class, (context, rules) -> assertThat(rules).isEmpty());
    }

    @Test
    void rejectsACostOfArgumentsWithoutAKey() {
        rejected(CostOfArguments.class, "cost", "needs a key");
    }

    @Test
    void rejectsACostThatIsNeverGranted() {
        rejected(Dear.class, "call", "a cost of 2 can never be granted under 1/h");
        rejected(DearByRule.class, "call", "a cost of 11 can never be granted under 10/h");
        rejected(ForNothing.class, "call", "a cost must be at least 1, not 0");
        rejected(ForNothingByRule.class, "call", "a cost must be at least 1, not 0");
    }

    /** By that name it would spend the budget of a rule in shadow mode. */
    @Test
    void rejectsANameThatNoRuleCouldHave() {
        rejected(Colon.class, "call", "name 'shadow:api'", RuleValidation.NAME);
    }

    /** The path meets the rule too, and is charged once. */
    @Test
    void costsWhatTheAnnotationSaysInsteadOfTheRule() {
        onRequest(OfRule.class, (context, own) -> {
            Gate gate = context.getBean(Gate.class);
            List<BoundRule> matched =
                    context.getBean(RuleStore.class).get().match(Rule.Stage.HANDLER, new Request("/api"));
            List<BoundRule> due = RequestCharges.of(null).due(matched, own);
            assertThat(due).hasSize(1);
            assertThat(gate.check(new Request("/api"), due).decision().remaining())
                    .isEqualTo(9);
        });
    }

    @Test
    void isNotLimitedByARuleThatIsOff() {
        onRequest(OfRuleThatIsOff.class, (context, own) -> assertThat(own).isEmpty());
    }

    private void onRequest(Class<?> type, BiConsumer<ApplicationContext, List<BoundRule>> test) {
        application.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            HandlerMethod handler = new HandlerMethod(
                    context.getBean(type), ReflectionUtils.findMethod(type, "call", (Class<?>[]) null));
            HandlerLimits limits = context.getBean(HandlerLimits.class);
            List<BoundRule> rules = limits.of(handler);
            test.accept(context, rules);
        });
    }

    private void rejected(Class<?> type, String... said) {
        application.withBean(type).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).isInstanceOf(InvalidLimitException.class);
            assertThat(context.getStartupFailure().getMessage()).contains(said);
        });
    }

    private record Request(String path) implements RequestView {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public String peerAddress() {
            return "10.0.0.1";
        }

        @Override
        public String principal() {
            return null;
        }

        @Override
        public String route() {
            return null;
        }
    }

    interface Contract {

        @GetMapping("/declared")
        String call();
    }

    @RestController
    static class AnnotatedMethod implements Contract {

        @Override
        @RateLimit("1/h")
        public String call() {
            return "ok";
        }
    }

    interface Exchange {

        @GetExchange("/exchanged")
        String call();
    }

    @RestController
    static class Exchanged implements Exchange {

        @Override
        @RateLimit("1/h")
        public String call() {
            return "ok";
        }
    }

    @RestController
    static class OfRule {

        @RateLimit(rule = "api", cost = "1")
        @GetMapping("/api")
        public void call() {}
    }

    @RestController
    static class OfRuleThatIsOff {

        @RateLimit(rule = "off")
        @GetMapping("/off")
        public void call() {}
    }

    @RestController
    static class FallsBack {

        @RateLimit(value = "1/h", fallback = "later")
        @GetMapping("/")
        public void call() {}

        void later() {}
    }

    @RestController
    static class FallsBackByKey {

        @RateLimit(value = "1/h", key = "'all'", fallback = "later")
        @GetMapping("/")
        public void call() {}

        void later() {}
    }

    @RestController
    static class CostOfArguments {

        @RateLimit(value = "1/h", cost = "#size")
        @GetMapping("/")
        public void call(int size) {}
    }

    @RestController
    static class Dear {

        @RateLimit(
                value = {"5/min", "1/h"},
                cost = "2")
        @GetMapping("/")
        public void call() {}
    }

    @RestController
    static class DearByRule {

        @RateLimit(rule = "api", cost = "11")
        @GetMapping("/")
        public void call() {}
    }

    @RestController
    static class ForNothing {

        @RateLimit(value = "1/h", cost = "0")
        @GetMapping("/")
        public void call() {}
    }

    @RestController
    static class ForNothingByRule {

        @RateLimit(rule = "off", cost = "0")
        @GetMapping("/")
        public void call() {}
    }

    @RestController
    static class Colon {

        @RateLimit(value = "1/h", name = "shadow:api")
        @GetMapping("/")
        public void call() {}
    }
}
