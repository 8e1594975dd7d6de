package io.headgate.spring.method;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.Applications;
import io.headgate.spring.RateLimit;
import io.headgate.spring.Running;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Keys that combine the arguments of a handler with its request. */
class RequestKeyTest {

    private static final String PROXY = "headgate.trusted-proxies=127.0.0.1";

    /** Each test has paths or clients of its own. */
    @AutoClose
    private static final Applications<WebApplicationType> APPLICATIONS = new Applications<>(RequestKeyTest::start);

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void countsEachClientAndArgument(WebApplicationType type) {
        Running application = APPLICATIONS.get(type);
        assertThat(application.statuses(3, "/client/a")).containsExactly(200, 200, 429);
        assertThat(application.statuses(1, "/client/b")).containsExactly(200);
        assertThat(application.statuses(1, "/client/a", "X-Forwarded-For", "203.0.113.7"))
                .containsExactly(200);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void countsEachHeaderAndArgument(WebApplicationType type) {
        Running application = APPLICATIONS.get(type);
        assertThat(application.statuses(3, "/header/a", "X-Tenant", "one")).containsExactly(200, 200, 429);
        assertThat(application.statuses(1, "/header/a", "x-tenant", "two")).containsExactly(200);
        assertThat(application.statuses(1, "/header/b", "X-Tenant", "one")).containsExactly(200);
        assertThat(application.statuses(3, "/only", "X-Tenant", "one")).containsExactly(200, 200, 429);
        assertThat(application.statuses(1, "/only", "X-Tenant", "two")).containsExactly(200);
    }

    /** They share one budget, which is not that of a tenant called null. */
    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void countsCallsWithoutTheHeaderTogether(WebApplicationType type) {
        Running application = APPLICATIONS.get(type);
        assertThat(application.statuses(1, "/header/a")).containsExactly(200);
        assertThat(application.statuses(1, "/header/b", "X-Tenant", " ")).containsExactly(200);
        assertThat(application.statuses(1, "/header/c", "X-Tenant", "one", "X-Tenant", "two"))
                .as("nobody knows which of the two the application reads")
                .containsExactly(429);
        assertThat(application.statuses(1, "/header/a", "X-Tenant", "null")).containsExactly(200);
    }

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void fallsBackToWhatTheKeySays(WebApplicationType type) {
        Running application = APPLICATIONS.get(type);
        assertThat(application.statuses(3, "/either")).containsExactly(200, 200, 429);
        assertThat(application.statuses(3, "/either", "X-Tenant", "one")).containsExactly(200, 200, 429);
        assertThat(application.statuses(1, "/either", "X-Forwarded-For", "203.0.113.8"))
                .containsExactly(200);
    }

    /** A header that spells what the key falls back to does not get its budget. */
    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void neverTakesAHeaderForAClient(WebApplicationType type) {
        Running application = APPLICATIONS.get(type);
        for (String path : List.of("/direct", "/either", "/mixed", "/asked")) {
            for (String spelt : List.of("203.0.113.7", "address 203.0.113.7")) {
                assertThat(application.statuses(3, path, "X-Tenant", spelt)).containsExactly(200, 200, 429);
            }
            assertThat(application.statuses(3, path, "X-Forwarded-For", "203.0.113.7"))
                    .as(path)
                    .containsExactly(200, 200, 429);
        }
    }

    /** A header that only chooses between keys is no way to a second budget. */
    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void countsAClientOnceWhateverTheKeyAsks(WebApplicationType type) {
        Running application = APPLICATIONS.get(type);
        assertThat(application.statuses(2, "/chosen")).containsExactly(200, 200);
        assertThat(application.statuses(1, "/chosen", "X-Tenant", "other")).containsExactly(429);
    }

    @Test
    void readsTheRequestWhateverAHandlerOfMvcReturns() {
        try (Running application = Running.servlet(Plain.class, Running.WITHOUT_SPRING_SECURITY, PROXY)) {
            assertThat(application.statuses(3, "/plain")).containsExactly(200, 200, 429);
            assertThat(application.statuses(1, "/plain", "X-Forwarded-For", "203.0.113.7"))
                    .containsExactly(200);
        }
    }

    /** An argument of that name has always been meant by it. */
    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void takesAnArgumentBeforeAWordOfTheSameName(WebApplicationType type) {
        Running application = APPLICATIONS.get(type);
        assertThat(application.statuses(3, "/argument", "client", "ann")).containsExactly(200, 200, 429);
        assertThat(application.statuses(1, "/argument", "client", "bob")).containsExactly(200);
    }

    @Test
    void rejectsTheRequestWhereThereIsNone() {
        for (Class<?> service : List.of(ServiceByClient.class, ServiceByHeader.class)) {
            new ApplicationContextRunner()
                    .withConfiguration(ours())
                    .withBean(service)
                    .run(context -> assertThat(context)
                            .getFailure()
                            .isInstanceOf(InvalidLimitException.class)
                            .hasMessageContaining("known only in the key of a method that handles requests"));
        }
        rejectedInMvc(CostByHeader.class, "known only in the key of a method that handles requests");
    }

    @Test
    void rejectsHeadersThatCannotBe() {
        rejectedInMvc(NoName.class, "#header('X-Tenant')");
        rejectedInMvc(BadName.class, "X Tenant");
        rejectedInMvc(OfArgument.class, "#header('X-Tenant')");
        rejectedInMvc(Member.class, "property nmae of java.lang.String");
    }

    /** There, only the subscriber to what a handler returns knows the request. */
    @Test
    void rejectsTheRequestWhereAHandlerOfWebFluxReturnsAtOnce() {
        new ReactiveWebApplicationContextRunner()
                .withConfiguration(ours())
                .withBean(PlainHandlers.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageContaining("in WebFlux is known only to methods that return a Mono or a Flux"));
    }

    private static void rejectedInMvc(Class<?> type, String said) {
        new WebApplicationContextRunner()
                .withConfiguration(ours())
                .withBean(type)
                .run(context -> assertThat(context)
                        .as(type.getSimpleName())
                        .getFailure()
                        .isInstanceOf(InvalidLimitException.class)
                        .hasMessageContaining(said));
    }

    private static AutoConfigurations ours() {
        return AutoConfigurations.of(
                io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration.class,
                io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration.class,
                io.headgate.spring.boot.autoconfigure.HeadgateServletAutoConfiguration.class);
    }

    private static Running start(WebApplicationType type) {
        return type == WebApplicationType.SERVLET
                ? Running.servlet(Application.class, Running.WITHOUT_SPRING_SECURITY, PROXY)
                : Running.reactive(Application.class, Running.WITHOUT_SPRING_SECURITY, PROXY);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Handlers.class)
    static class Application {}

    @RestController
    static class Handlers {

        @RateLimit(value = "2/h", key = "#id + '/' + #client")
        @GetMapping("/client/{id}")
        Mono<String> client(@PathVariable("id") String id) {
            return Mono.just(id);
        }

        @RateLimit(value = "2/h", key = "#header('X-Tenant') + '/' + #id")
        @GetMapping("/header/{id}")
        Flux<String> header(@PathVariable("id") String id) {
            return Flux.just(id);
        }

        @RateLimit(value = "2/h", key = "#header('X-Tenant') ?: 'address ' + #client")
        @GetMapping("/either")
        Mono<String> either() {
            return Mono.just("");
        }

        @RateLimit(value = "2/h", key = "#header('X-Tenant') ?: #client")
        @GetMapping("/direct")
        Mono<String> direct() {
            return Mono.just("");
        }

        @RateLimit(value = "2/h", key = "(#header('X-Tenant') ?: #client) + '/a'")
        @GetMapping("/mixed")
        Mono<String> mixed() {
            return Mono.just("");
        }

        @RateLimit(value = "2/h", key = "#header('X-Tenant') == null ? #client : #header('X-Tenant')")
        @GetMapping("/asked")
        Mono<String> asked() {
            return Mono.just("");
        }

        @RateLimit(value = "2/h", key = "#header('X-Tenant') == 'all' ? 'all' : #client")
        @GetMapping("/chosen")
        Mono<String> chosen() {
            return Mono.just("");
        }

        @RateLimit(value = "2/h", key = "#header('X-Tenant')")
        @GetMapping("/only")
        Mono<String> only() {
            return Mono.just("");
        }

        @RateLimit(value = "2/h", key = "#client")
        @GetMapping("/argument")
        Mono<String> argument(@RequestHeader("client") String client) {
            return Mono.just(client);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(PlainHandlers.class)
    static class Plain {}

    @RestController
    static class PlainHandlers {

        @RateLimit(value = "2/h", key = "#client")
        @GetMapping("/plain")
        String plain() {
            return "";
        }
    }

    static class ServiceByClient {

        @RateLimit(key = "#user + #client")
        public void call(String user) {}
    }

    static class ServiceByHeader {

        @RateLimit(key = "#user + #header('X-Tenant')")
        public void call(String user) {}
    }

    @RestController
    static class CostByHeader {

        @RateLimit(key = "#client", cost = "#header('X-Cost')")
        @GetMapping("/")
        void call() {}
    }

    @RestController
    static class NoName {

        @RateLimit(key = "#header()")
        @GetMapping("/")
        void call() {}
    }

    @RestController
    static class BadName {

        @RateLimit(key = "#header('X Tenant')")
        @GetMapping("/")
        void call() {}
    }

    @RestController
    static class OfArgument {

        @RateLimit(key = "#header(#name)")
        @GetMapping("/")
        void call(String name) {}
    }

    @RestController
    static class Member {

        @RateLimit(key = "#client.nmae")
        @GetMapping("/")
        void call() {}
    }
}
