package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.Decision;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.annotation.AliasFor;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Limits on methods of beans. */
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
                    .satisfies(denial -> assertThat(denial.decision()).isInstanceOf(Decision.Denied.class));
        });
    }

    /** MISSION C3. */
    @Test
    void limitsByAnExpressionOverTheArguments() {
        with(Service.class, service -> {
            assertThat(service.keyed("ann")).isEqualTo("ann");
            assertThat(service.keyed("bob")).isEqualTo("bob");
            assertDenied(() -> service.keyed("ann"));
            assertThat(service.keyed(null)).isNull();
            assertDenied(() -> service.keyed(null));
        });
    }

    @Test
    void takesWhatACallCosts() {
        with(Service.class, service -> {
            service.costly(List.of(1, 2, 3));
            assertDenied(() -> service.costly(List.of(1, 2, 3)));
            service.costly(List.of(1, 2));
        });
    }

    /** Known bugs C6, A3: both hold, and what the first took comes back when the second denies. */
    @Test
    void holdsEveryAnnotation() {
        with(Service.class, service -> {
            service.twice("ann");
            assertDenied(() -> service.twice("ann"));
            service.twice("bob");
            assertDenied(() -> service.twice("cid"));
        });
    }

    @Test
    void findsItselfInOtherAnnotations() {
        with(Service.class, service -> {
            service.meta("ann");
            assertDenied(() -> service.meta("ann"));
        });
    }

    @Test
    void sharesTheBudgetOfARule() {
        with(Service.class, service -> {
            service.ofRule("ann");
            assertDenied(() -> service.alsoOfRule("ann"));
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
    void deniesFutures() {
        with(Service.class, service -> {
            assertThat(service.future().join()).isEqualTo("ok");
            CompletableFuture<String> denied = service.future();
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(denied::join)
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
            assertDenied(mono::block);
            Flux<String> flux = service.flux();
            assertThat(flux.collectList().block()).containsExactly("a", "b");
            assertDenied(() -> flux.collectList().block());
        });
    }

    /** MISSION C3: on a type it is the default of each method, with budgets of their own. */
    @Test
    void limitsEveryMethodOfAType() {
        with(Limited.class, limited -> {
            limited.one();
            limited.two();
            assertDenied(limited::one);
            assertDenied(limited::two);
            limited.own();
            limited.own();
            assertDenied(limited::own);
        });
    }

    @Test
    void sharesABudgetByItsName() {
        application.withBean(Sharing.class).withBean(SharingToo.class).run(context -> {
            assertThat(context).hasNotFailed();
            context.getBean(Sharing.class).call();
            context.getBean(SharingToo.class).call();
            assertDenied(() -> context.getBean(Sharing.class).call());
        });
    }

    static class Sharing {

        @RateLimit(value = "2/h", name = "both")
        public void call() {}
    }

    static class SharingToo {

        @RateLimit(limit = 2, window = "60min", name = "both")
        public void call() {}
    }

    private <T> void with(Class<T> type, java.util.function.Consumer<T> test) {
        application.withBean(type).run(context -> {
            assertThat(context).hasNotFailed();
            test.accept(context.getBean(type));
        });
    }

    private static void assertDenied(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
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

        String later(String user, RateLimitExceededException denial) {
            return "later, " + user + ": " + denial.getMessage();
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
}
