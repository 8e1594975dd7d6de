package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.SubjectResolver;
import io.headgate.spring.Api;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.line.JettyServlet;
import java.net.http.HttpResponse;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Known bug R10: a denial without a decision carries no quota, not even that of a rule that was asked before. */
class FailedStoreTest {

    @ParameterizedTest
    @ValueSource(classes = {OnTomcat.class, OnJetty.class})
    void takesBackWhatWasTold(Class<?> application) {
        try (Running running = Running.servlet(
                application,
                new RuleLines()
                        .rule("early", "/both", "stage=filter", "limits=5/h")
                        .rule("named", "/named")
                        .rule("late", "/both", "subject=failing", "on-store-failure=closed")
                        .and(Running.WITHOUT_SPRING_SECURITY))) {
            HttpResponse<String> denial = running.get("/both");
            assertThat(denial.statusCode()).isEqualTo(503);
            assertThat(denial.headers().map().keySet())
                    .contains("retry-after")
                    .noneMatch(name -> name.contains("ratelimit"));
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class OnTomcat {

        @Bean
        SubjectResolver failing() {
            return request -> {
                throw new IllegalStateException("on purpose");
            };
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class OnJetty extends OnTomcat {

        @Bean
        JettyServlet server() {
            return new JettyServlet();
        }
    }
}
