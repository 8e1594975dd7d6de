package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.filter.UrlHandlerFilter;

/** Known bug P20: a rule at the filter is met on every way that leads to its path, and not only on the straight one. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DetourTest implements Target {

    private Running running;

    @BeforeAll
    void startApplication() {
        running = Running.servlet(
                Application.class,
                new RuleLines()
                        .rule("login", "/api/login", "stage=filter", "limits=1/h")
                        .rule("guessing", "/any", "stage=filter", "limits=5/h")
                        .rule("any", "/any", "limits=2/h")
                        .rule("all", "/**", "stage=filter", "limits=10/h", "match=all")
                        .rule("late", "/detour/**", "limits=10/h")
                        .and(Running.WITHOUT_SPRING_SECURITY));
    }

    @AfterAll
    void stopApplication() {
        running.close();
    }

    @Override
    public Running application() {
        return running;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/detour/forward", "/detour/include", "/detour/async", "/api/login/"})
    void isLimitedOnTheWayRound(String path) {
        String client = Target.stranger();
        spend(client, "GET /api/login");
        assertThat(ask(client, "GET " + path).body()).doesNotContain(SERVED);

        String another = Target.stranger();
        assertThat(ask(another, "GET " + path).body()).startsWith(SERVED);
        assertThat(ask(another, "GET " + path).body()).doesNotContain(SERVED);
        isLimited("straight", ask(another, "GET /api/login"));
    }

    /** Known bug A10. */
    @ParameterizedTest
    @ValueSource(strings = {"/api/login", "/detour/forward", "/detour/include", "/detour/async", "/api/login/"})
    void isChargedOncePerRule(String path) {
        String client = Target.stranger();
        assertThat(ask(client, "GET " + path).body()).startsWith(SERVED);
        assertThat(remaining("all", "ip:" + client)).isEqualTo(9);
        assertThat(remaining("login", "ip:" + client)).isZero();
        assertThat(remaining("late", "ip:" + client)).isEqualTo(path.startsWith("/detour") ? 9 : 10);
    }

    /** What it stands before is done on the way round, too, such as in a filter behind the one that has led past it. */
    @Test
    void keepsItsChargeWhateverTheHandlerDenies() {
        String client = Target.stranger();
        for (int i = 0; i < 7; i++) {
            ask(client, "GET /any/");
        }
        assertThat(remaining("guessing", "ip:" + client)).isZero();
        assertThat(remaining("any", "ip:" + client)).isZero();
    }

    @Test
    void tellsOfTheRuleOnTheWayRound() {
        HttpResponse<String> passed = running.get("/detour/forward");
        assertThat(passed.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"all\";q=10;w=3600, \"late\";q=10;w=3600, \"login\";q=1;w=3600");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class, Detours.class})
    static class Application {

        /** Takes the slash away when our filter has seen the path. */
        @Bean
        FilterRegistrationBean<UrlHandlerFilter> slashes() {
            return new FilterRegistrationBean<>(
                    UrlHandlerFilter.trailingSlashHandler("/**").wrapRequest().build());
        }
    }

    @RestController
    static class Detours {

        @GetMapping("/detour/forward")
        void forward(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            request.getRequestDispatcher("/api/login").forward(request, response);
        }

        @GetMapping("/detour/include")
        void include(HttpServletRequest request, HttpServletResponse response) throws ServletException, IOException {
            request.getRequestDispatcher("/api/login").include(request, response);
        }

        @GetMapping("/detour/async")
        void async(HttpServletRequest request) {
            AsyncContext async = request.startAsync();
            async.dispatch("/api/login");
        }
    }
}
