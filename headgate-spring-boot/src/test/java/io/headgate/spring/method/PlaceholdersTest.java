package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Annotations whose texts are in the properties of the application. */
class PlaceholdersTest {

    private ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class));

    @Test
    void fillsInLimitsKeysAndCosts() {
        application
                .withPropertyValues(
                        "shop.limits=5/min, 2/h sliding-window",
                        "shop.key=#user",
                        "shop.cost=#items * 2",
                        "shop.window=2h",
                        "shop.algorithm=fixed-window",
                        "shop.name=orders")
                .withBean(Service.class)
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    assertThat(plans(context.getBean(AnnotatedLimits.class)))
                            .containsExactly(
                                    "Service#byDefault [7/min token-bucket]",
                                    "Service#listed [5/min token-bucket, 2/h sliding-window]",
                                    "orders [100/2h fixed-window]");
                    Service service = context.getBean(Service.class);
                    service.listed("ann", 1);
                    service.listed("bob", 1);
                    assertThatExceptionOfType(RateLimitExceededException.class)
                            .isThrownBy(() -> service.listed("ann", 1));
                });
    }

    private static List<String> plans(AnnotatedLimits limits) {
        return limits.all().stream()
                .map(each -> each.rule().name() + " " + each.rule().plan())
                .sorted()
                .toList();
    }

    @Test
    void fillsInTheNamesOfRulesAndFallbacks() {
        application
                .withPropertyValues(
                        "headgate.rules[0].name=backend",
                        "headgate.rules[0].limits=1/h",
                        "shop.rule=backend",
                        "shop.fallback=later")
                .withBean(Ruled.class)
                .run(context -> {
                    Ruled service = context.getBean(Ruled.class);
                    assertThat(service.call()).isEqualTo("now");
                    assertThat(service.call()).isEqualTo("later");
                });
    }

    @Test
    void usesTheAlgorithmOfTheApplicationWhereAnAnnotationNamesNone() {
        application
                .withPropertyValues("headgate.algorithm=sliding-window")
                .withBean(Algorithms.class)
                .run(context -> assertThat(plans(context.getBean(AnnotatedLimits.class)))
                        .containsExactly(
                                "Algorithms#iso [100/h sliding-window]",
                                "Algorithms#named [5/min leaky-bucket, 7/min fixed-window]",
                                "Algorithms#none [5/min sliding-window, 9/min burst 20 token-bucket]",
                                "Algorithms#numbers [3/min sliding-window]"));
    }

    @Test
    void saysWhichPropertyIsMissing() {
        rejected(
                NoValue.class,
                "NoValue#call: value '${shop.limit}' has the placeholder ${shop.limit}, which no property fills in;"
                        + " set shop.limit=10/min for example, or give it a default: ${shop.limit:10/min}");
        rejected(NoKey.class, "NoKey#call: key '#user + ${shop.key}' has the placeholder ${shop.key}", "#userId");
        rejected(NoCost.class, "NoCost#call: cost '${shop.cost}' has the placeholder ${shop.cost}", "shop.cost=1");
        application = application.withPropertyValues("shop.limit=10/fortnight");
        rejected(NoValue.class, "NoValue#call: limit '10/fortnight', column 4");
    }

    private void rejected(Class<?> type, String... said) {
        application.withBean(type).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).isInstanceOf(InvalidLimitException.class);
            assertThat(context.getStartupFailure().getMessage()).contains(said);
        });
    }

    static class Service {

        @RateLimit(value = "${shop.limits}", key = "${shop.key}", cost = "${shop.cost}")
        public void listed(String user, int items) {}

        @RateLimit("${shop.other:7/min}")
        public void byDefault() {}

        @RateLimit(window = "${shop.window}", algorithm = "${shop.algorithm}", name = "${shop.name}")
        public void numbers() {}
    }

    static class Ruled {

        @RateLimit(rule = "${shop.rule}", fallback = "${shop.fallback}")
        public String call() {
            return "now";
        }

        String later() {
            return "later";
        }
    }

    static class Algorithms {

        @RateLimit({"5/min", "9/min burst 20"})
        public void none() {}

        @RateLimit(
                value = {"5/min", "7/min fixed-window"},
                algorithm = "leaky-bucket")
        public void named() {}

        @RateLimit(limit = 3)
        public void numbers() {}

        @RateLimit(window = "PT1H")
        public void iso() {}
    }

    static class NoValue {

        @RateLimit("${shop.limit}")
        public void call() {}
    }

    static class NoKey {

        @RateLimit(key = "#user + ${shop.key}")
        public void call(String user) {}
    }

    static class NoCost {

        @RateLimit(cost = "${shop.cost}")
        public void call() {}
    }
}
