package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Plan;
import io.headgate.http.CostResolver;
import io.headgate.http.PlanResolver;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

/** What resolvers of the application see of a request, before and after a handler was found. */
class ResolversSeeRequestsTest {

    private static final String[] SETTINGS = new RuleLines()
            .rule("early", "/early/{order}", "subject=order", "stage=filter", "limits=1/h")
            .rule("late", "/late/*", "subject=order", "limits=1/h")
            .rule("priced", "/priced", "cost-resolver=price", "limits=10/h")
            .rule("plan", "/plan", "plan-resolver=tier", "limits=1/h")
            .and(
                    "headgate.rules[4].name=called",
                    "headgate.rules[4].limits=1/h",
                    "headgate.rules[4].plan-resolver=tier",
                    Running.WITHOUT_SPRING_SECURITY);

    @ParameterizedTest
    @EnumSource(names = {"SERVLET", "REACTIVE"})
    void seePathVariablesQueryCookiesAndTheRequestItself(WebApplicationType type) {
        try (Running application = type == WebApplicationType.SERVLET
                ? Running.servlet(Application.class, SETTINGS)
                : Running.reactive(Application.class, SETTINGS)) {
            assertThat(application.statuses(2, "/early/7")).containsExactly(200, 429);
            assertThat(application.statuses(1, "/early/8")).containsExactly(200);
            assertThat(application.statuses(2, "/late/7"))
                    .as("the variable is that of the handler, since the rule has none")
                    .containsExactly(200, 429);
            assertThat(application.statuses(1, "/late/8")).containsExactly(200);
            assertThat(application.statuses(3, "/priced?size=4")).containsExactly(200, 200, 429);
            assertThat(application.statuses(3, "/plan", "Cookie", "tier=gold")).containsExactly(200, 200, 200);
            assertThat(application.statuses(3, "/called", "Cookie", "tier=gold"))
                    .as("the plan of a rule that an annotation names")
                    .containsExactly(200, 200, 200);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Handlers.class)
    static class Application {

        @Bean
        SubjectResolver order() {
            return request -> Subject.of(String.valueOf(request.pathVariable("order")));
        }

        @Bean
        CostResolver price() {
            return request -> Long.parseLong(request.queryParameters("size").get(0));
        }

        @Bean
        PlanResolver tier() {
            return (subject, request) -> CompletableFuture.completedFuture(
                    request.nativeRequest() != null && request.cookies("tier").contains("gold")
                            ? Optional.of(Plan.parse("3/h"))
                            : Optional.empty());
        }
    }

    @RestController
    static class Handlers {

        @GetMapping({"/early/{id}", "/late/{order}"})
        Mono<String> one(@PathVariable(name = "id", required = false) String id) {
            return Mono.just("");
        }

        @GetMapping({"/priced", "/plan"})
        Mono<String> other() {
            return Mono.just("");
        }

        @RateLimit(rule = "called", key = "'all'")
        @GetMapping("/called")
        Mono<String> called() {
            return Mono.just("");
        }
    }
}
