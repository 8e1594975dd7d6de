package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import jakarta.servlet.Filter;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.server.WebFilter;

/**
 * What a rule at the filter stage stands before is done when the handler's rules are asked. So it keeps its charge whatever they say,
 * or whoever has spent another limit could go on guessing passwords.
 */
class StagesTest {

    @ParameterizedTest
    @ValueSource(strings = {"servlet", "reactive"})
    void theFilterLimitsWhatIsBehindItWhateverTheHandlerDenies(String type) {
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        try (Running running = start.apply(
                Guarded.class,
                new RuleLines()
                        .rule("guessing", "/any", "stage=filter", "limits=5/h")
                        .rule("any", "/any", "limits=2/h")
                        .and(Running.WITHOUT_SPRING_SECURITY))) {
            assertThat(running.statuses(20, "/any")).startsWith(200, 200, 429).doesNotContain(500);

            assertThat(running.context().getBean(AtomicInteger.class)).hasValue(5);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class Guarded {

        @Bean
        AtomicInteger guesses() {
            return new AtomicInteger();
        }

        @Bean
        Filter passwords(AtomicInteger guesses) {
            return (request, response, chain) -> {
                guesses.incrementAndGet();
                chain.doFilter(request, response);
            };
        }

        @Bean
        WebFilter reactivePasswords(AtomicInteger guesses) {
            return (exchange, chain) -> {
                guesses.incrementAndGet();
                return chain.filter(exchange);
            };
        }
    }
}
