package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.Decision;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.autoconfigure.HeadgateMethodAutoConfiguration;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.core.annotation.AliasFor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Limits on methods of beans. */
@ExtendWith(OutputCaptureExtension.class)
class MethodLimitTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
            .withPropertyValues(
                    "headgate.rules[0].name=shared", "headgate.rules[0].path=/shared", "headgate.rules[0].limits=1/h");

    @Test
    void limitsEverybodyTogetherWithoutAKey() {
        with(Service.class, service -> {
            service.plain();
            service.plain();
            assertThatExceptionOfType(RateLimitExceededException.class)
                    .isThrownBy(service::plain)
                    .withMessageMatching("rate limit 'Service#plain' of \\S+ exceeded; retry after PT\\S+")
                    .satisfies(refusal -> assertThat(refusal.decision()).isInstanceOf(Decision.Denied.class));
        });
    }

    /** MISSION C3. */
    @Test
    void limitsByAnExpressionOverTheArguments() {
        with(Service.class, service -> {
            assertThat(service.keyed("ann")).isEqualTo("ann");
            assertThat(service.keyed("bob")).isEqualTo("bob");
            assertRefused(() -> service.keyed("ann"));
            assertThat(service.keyed(null)).isNull();
            assertRefused(() -> service.keyed(null));
        });
    }

    @Test
    void takesWhatACallCosts() {
        with(Service.class, service -> {
            service.costly(List.of(1, 2, 3));
            assertRefused(() -> service.costly(List.of(1, 2, 3)));
            service.costly(List.of(1, 2));
        });
    }

    /** CATALOGUE C6, A3: both hold, and what the first took comes back when the second refuses. */
    @Test
    void holdsEveryAnnotation() {
        with(Service.class, service -> {
            service.twice("ann");
            assertRefused(() -> service.twice("ann"));
            service.twice("bob");
            assertRefused(() -> service.twice("cid"));
        });
    }

    @Test
    void findsItselfInOtherAnnotations() {
        with(Service.class, service -> {
            service.meta("ann");
            assertRefused(() -> service.meta("ann"));
        });
    }

    @Test
    void sharesTheBudgetOfARule() {
        with(Service.class, service -> {
            service.ofRule("ann");
            assertRefused(() -> service.alsoOfRule("ann"));
            service.alsoOfRule("bob");
        });
    }

    @Test
    void callsTheFallback() {
        with(Service.class, service -> {
            assertThat(service.spared("ann")).isEqualTo("ann");
            assertThat(service.spared("ann")).startsWith("later, ann: rate limit");
        });
    }

    @Test
    void refusesFutures() {
        with(Service.class, service -> {
            assertThat(service.future().join()).isEqualTo("ok");
            CompletableFuture<String> refused = service.future();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(refused::join)
                    .withCauseInstanceOf(RateLimitExceededException.class);
        });
    }

    /** DESIGN section 6: charged when somebody subscribes, each time. */
    @Test
    void chargesPublishersPerSubscription() {
        with(Service.class, service -> {
            Mono<String> mono = service.mono();
            service.mono();
            assertThat(mono.block()).isEqualTo("ok");
            assertRefused(mono::block);
            Flux<String> flux = service.flux();
            assertThat(flux.collectList().block()).containsExactly("a", "b");
            assertRefused(() -> flux.collectList().block());
        });
    }

    /** MISSION C3: on a type it is the default of each method, with budgets of their own. */
    @Test
    void limitsEveryMethodOfAType() {
        with(Limited.class, limited -> {
            limited.one();
            limited.two();
            assertRefused(limited::one);
            assertRefused(limited::two);
            limited.own();
            limited.own();
            assertRefused(limited::own);
        });
    }

    @Test
    void stopsOnWhatCannotBeRight() {
        refused(UnknownArgument.class, "#usr", "not an argument", "#user");
        refused(UnknownRule.class, "no rule is called 'nowhere'", "[shared]");
        refused(NoFallback.class, "no method elsewhere");
        refused(BadLimit.class, "10/fortnight");
        refused(Beans.class, "@secret", "only the arguments");
        refused(NoExpression.class, "not an expression");
        refused(BlankExpression.class, "' ' is not an expression");
        refused(NoUnit.class, "limit '3 per 60', column 9: expected a unit of time");
    }

    @Test
    void warnsOfWhatLimitsNothing(CapturedOutput output) {
        with(
                Useless.class,
                useless -> assertThat(output)
                        .contains("Useless#hidden limits nothing", "private")
                        .contains("Useless#common limits nothing")
                        .contains("Useless#last limits nothing")
                        .doesNotContain("Useless#call"));
        with(
                UselessInPart.class,
                useless -> assertThat(output)
                        .contains("UselessInPart#last limits nothing")
                        .doesNotContain("UselessInPart#common")
                        .doesNotContain("UselessInPart#call"));
        with(
                UselessAltogether.class,
                useless -> assertThat(output)
                        .contains("UselessAltogether limits nothing: none of its methods is public or a handler"));
    }

    @Test
    void saysWhoWantsAProxyOfAClassThatCanHaveNone() {
        application
                .withBean(Last.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .cause()
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageStartingWith("@RateLimit on " + Last.class.getName())
                        .hasMessageContaining("final class"));
    }

    @Test
    void refusesTwoClassesOfOneNameWithoutNamesOfTheirOwn() {
        application.withBean(Here.Orders.class).withBean(There.Orders.class).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure())
                    .isInstanceOf(InvalidLimitException.class)
                    .hasMessageContaining("same simple name; give the annotation a name");
        });
    }

    @Test
    void sharesABudgetByItsName() {
        application.withBean(Sharing.class).withBean(SharingToo.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Sharing.class).call();
            context.getBean(SharingToo.class).call();
            assertRefused(() -> context.getBean(Sharing.class).call());
        });
    }

    /** Each call would rewrite what the other has left of the budget. */
    @Test
    void refusesOneNameForTwoBudgets() {
        application
                .withBean(Sharing.class)
                .withBean(OtherNumber.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageContainingAll(
                                "'both'",
                                "[2/h token-bucket]",
                                "Sharing#call",
                                "[3/h token-bucket]",
                                "OtherNumber#call"));
        application
                .withBean(Sharing.class)
                .withBean(OtherAlgorithm.class)
                .run(context -> assertThat(context.getStartupFailure())
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageContainingAll("'both'", "[2/h token-bucket]", "[2/h sliding-window]"));
        refused(NamedTwice.class, "two annotations have the name 'both'", "charged twice");
    }

    static class Sharing {

        @RateLimit(value = "2/h", name = "both")
        public void call() {}
    }

    static class SharingToo {

        @RateLimit(limit = 2, window = "60min", name = "both")
        public void call() {}
    }

    static class OtherNumber {

        @RateLimit(value = "3/h", name = "both")
        public void call() {}
    }

    static class OtherAlgorithm {

        @RateLimit(value = "2/h", algorithm = "sliding-window", name = "both")
        public void call() {}
    }

    static class NamedTwice {

        @RateLimit(value = "2/h", name = "both")
        @RateLimit(value = "2/h", name = "both", key = "#user")
        public void call(String user) {}
    }

    static class Here {
        static class Orders {
            @RateLimit("1/h")
            void list() {}
        }
    }

    static class There {
        static class Orders {
            @RateLimit("1/h")
            void list() {}
        }
    }

    private <T> void with(Class<T> type, java.util.function.Consumer<T> test) {
        application.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(type));
        });
    }

    private void refused(Class<?> type, String... said) {
        application.withBean(type).run(context -> {
            assertThat(context).hasFailed();
            assertThat(context.getStartupFailure()).isInstanceOf(InvalidLimitException.class);
            assertThat(context.getStartupFailure().getMessage()).contains(said);
        });
    }

    private static void assertRefused(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatExceptionOfType(RateLimitExceededException.class).isThrownBy(call);
    }

    @Retention(RetentionPolicy.RUNTIME)
    @RateLimit("1/h")
    @interface Seldom {

        @AliasFor(annotation = RateLimit.class, attribute = "key")
        String by();
    }

    static class Service {

        @RateLimit(limit = 2, window = "PT1H")
        public void plain() {}

        @RateLimit(value = "1/h", key = "#user")
        public String keyed(String user) {
            return user;
        }

        @RateLimit(value = "5/h", cost = "#items.size()")
        public void costly(List<Integer> items) {}

        @RateLimit(value = "2/h", name = "all")
        @RateLimit(value = "1/h", key = "#user")
        public void twice(String user) {}

        @Seldom(by = "#p0")
        public void meta(String user) {}

        @RateLimit(rule = "shared", key = "#user")
        public void ofRule(String user) {}

        @RateLimit(rule = "shared", key = "#user")
        public void alsoOfRule(String user) {}

        @RateLimit(value = "1/h", fallback = "later")
        public String spared(String user) {
            return user;
        }

        String later(String user, RateLimitExceededException refusal) {
            return "later, " + user + ": " + refusal.getMessage();
        }

        @RateLimit("1/h")
        public CompletableFuture<String> future() {
            return CompletableFuture.completedFuture("ok");
        }

        @RateLimit("1/h")
        public Mono<String> mono() {
            return Mono.just("ok");
        }

        @RateLimit("1/h")
        public Flux<String> flux() {
            return Flux.just("a", "b");
        }
    }

    @RateLimit("1/h")
    static class Limited {

        public void one() {}

        public void two() {}

        @RateLimit("2/h")
        public void own() {}
    }

    static class UnknownArgument {

        @RateLimit(key = "#usr")
        public void call(String user) {}
    }

    static class UnknownRule {

        @RateLimit(rule = "nowhere")
        public void call() {}
    }

    static class NoFallback {

        @RateLimit(fallback = "elsewhere")
        public void call() {}
    }

    static class BadLimit {

        @RateLimit("10/fortnight")
        public void call() {}
    }

    static class Beans {

        @RateLimit(key = "@secret.of('all')")
        public void call() {}
    }

    static class NoExpression {

        @RateLimit(key = "#user.")
        public void call(String user) {}
    }

    static class BlankExpression {

        @RateLimit(key = " ")
        public void call(String user) {}
    }

    static class NoUnit {

        @RateLimit(limit = 3, window = "60")
        public void call() {}
    }

    static class Useless {

        public void call() {
            hidden();
        }

        @RateLimit
        private void hidden() {}

        @RateLimit
        public static void common() {}

        @RateLimit
        public final void last() {}
    }

    @RateLimit
    static class UselessInPart {

        public void call() {}

        public static void common() {}

        public final void last() {}
    }

    @RateLimit
    static class UselessAltogether {

        void call() {}
    }

    static final class Last {

        @RateLimit
        public void call() {}
    }
}
