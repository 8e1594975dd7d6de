package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;

/** Known bugs P17 and P18: rules are about paths within the application, wherever the application is. */
class BasePathTest {

    private static final String[] TRICKS = {
        "/app/api/login", "//app/api/login", "/app//api/login", "/app;x/api/login", "/app/;x/api/login",
                "/%61pp/api/login",
        "/APP/api/login", "/app/../app/api/login", "/x/../app/api/login", "/app/app/api/login", "/api/login",
                "/app%2Fapi/login"
    };

    private static final List<Integer> NOT_SERVED = List.of(400, 404, 429);

    /** Spring fails by itself when it cannot take a path apart, unless a rule in front of it had to do so before. */
    private static final List<Integer> NOT_SERVED_OR_FAILED = List.of(400, 404, 429, 500);

    @ParameterizedTest
    @CsvSource({
        "servlet, handler, server.servlet.context-path=/app",
        "servlet, handler, spring.mvc.servlet.path=/app",
        "servlet, filter, server.servlet.context-path=/app",
        "servlet, filter, spring.mvc.servlet.path=/app",
        "reactive, handler, spring.webflux.base-path=/app",
        "reactive, filter, spring.webflux.base-path=/app"
    })
    void limitsPathsWithinTheApplication(String type, String stage, String base) {
        boolean strict = type.equals("servlet") && stage.equals("filter");
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        try (Running running = start.apply(
                MvcSecurityTest.Application.class,
                new RuleLines()
                        .rule("login", "/api/login", "limits=1/h", "stage=" + stage)
                        .and(base, Running.WITHOUT_SPRING_SECURITY))) {
            Target target = () -> running;
            for (String trick : TRICKS) {
                String client = Target.stranger();
                target.spend(client, "GET /app/api/login");
                Wire.Answer answer = target.ask(client, "GET " + trick);
                assertThat(answer.body()).as(trick).doesNotContain(Target.SERVED);
                assertThat(answer.status()).as(trick).isIn(strict ? NOT_SERVED : NOT_SERVED_OR_FAILED);
            }
            assertThat(target.ask(Target.stranger(), "GET /app/free").status()).isEqualTo(200);
        }
    }

    /** Of a request for the application itself nothing is left within it: not even a slash. */
    @ParameterizedTest
    @CsvSource({
        "servlet, handler, server.servlet.context-path=/app, /app/",
        "servlet, handler, spring.mvc.servlet.path=/app, /app",
        "servlet, filter, spring.mvc.servlet.path=/app, /app",
        "servlet, handler, server.servlet.context-path=, http://target",
        "servlet, filter, server.servlet.context-path=, http://target?x",
        "reactive, handler, spring.webflux.base-path=/app, /app",
        "reactive, filter, spring.webflux.base-path=/app, /app",
        "reactive, handler, spring.webflux.base-path=, http://target",
        "reactive, filter, spring.webflux.base-path=, http://target?x"
    })
    void limitsTheRootHoweverItIsAskedFor(String type, String stage, String base, String root) {
        BiFunction<Class<?>, String[], Running> start = type.equals("servlet") ? Running::servlet : Running::reactive;
        try (Running running = start.apply(
                Rooted.class,
                new RuleLines()
                        .rule("all", "/**", "limits=1/h", "stage=" + stage)
                        .and(base, Running.WITHOUT_SPRING_SECURITY))) {
            Target target = () -> running;
            target.spend(Target.stranger(), "GET " + root);
        }
    }

    /** A servlet that is not Spring's, as of Jersey, sees what the container has made of a path, whatever Spring would make of it. */
    @Test
    void limitsServletsThatAreNotSpringsInTheFilter() {
        try (Running running = Running.servlet(
                WithAnotherServlet.class,
                new RuleLines()
                        .rule("other", "/other/orders", "limits=1/h", "stage=filter")
                        .and("spring.mvc.servlet.path=/app", Running.WITHOUT_SPRING_SECURITY))) {
            Target target = () -> running;
            for (String trick : List.of(
                    "//other/orders",
                    "/other//orders",
                    "/other;x/orders",
                    "/other/;x/orders;y",
                    "/%6Fther/orders",
                    "/x/../other/orders",
                    "/other/./orders",
                    "/other/orders/",
                    "/other/orders//",
                    "/other/orders/;x",
                    "/other/x/%2e%2e/orders")) {
                String client = Target.stranger();
                target.spend(client, "GET /other/orders");
                target.isHeldOff(trick, target.ask(client, "GET " + trick));
            }
            assertThat(target.ask(Target.stranger(), "GET /other/free").body()).startsWith(Target.SERVED);
        }
    }

    /** Known bugs M02, O4: to a servlet that is not Spring's, a preflight is a request like any other. */
    @Test
    void chargesPreflightsOfServletsThatAreNotSprings() {
        try (Running running = Running.servlet(
                WithAnotherServlet.class,
                new RuleLines()
                        .rule("other", "/other/**", "limits=1/h", "stage=filter")
                        .rule("all", "/spring/**", "limits=1/h", "stage=filter")
                        .and(Running.WITHOUT_SPRING_SECURITY))) {
            Target target = () -> running;
            String client = Target.stranger();
            assertThat(preflight(target, client, "/other/orders").body()).startsWith(Target.SERVED);
            assertThat(preflight(target, client, "/other/orders").status()).isEqualTo(429);
            assertThat(preflight(target, client, "/spring/orders").status()).isNotEqualTo(429);
            assertThat(preflight(target, client, "/spring/orders").status()).isNotEqualTo(429);
        }
    }

    /** A CORS filter of Spring answers preflights for all servlets, so they are free there, too. */
    @ParameterizedTest
    @ValueSource(strings = {"", Running.WITHOUT_SPRING_SECURITY})
    void sparesPreflightsThatACorsFilterAnswers(String security) {
        Class<?> application = security.isEmpty() ? BehindSecurity.class : BehindCorsFilter.class;
        try (Running running = Running.servlet(
                application,
                new RuleLines()
                        .rule("other", "/other/**", "limits=1/h", "stage=filter")
                        .and(security.isEmpty() ? "debug=false" : security))) {
            Target target = () -> running;
            String client = Target.stranger();
            for (int i = 0; i < 3; i++) {
                Wire.Answer answer = preflight(target, client, "/other/orders");
                assertThat(answer.status()).isEqualTo(200);
                assertThat(answer.body()).doesNotContain(Target.SERVED);
            }
            assertThat(target.ask(client, "GET /other/orders").body()).startsWith(Target.SERVED);
        }
    }

    private static Wire.Answer preflight(Target target, String client, String path) {
        return target.ask(client, "OPTIONS " + path, "Origin: http://page", "Access-Control-Request-Method: GET");
    }

    private static UrlBasedCorsConfigurationSource everybody() {
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", new CorsConfiguration().applyPermitDefaultValues());
        return source;
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(WithAnotherServlet.class)
    static class BehindCorsFilter {

        @Bean
        CorsFilter cors() {
            return new CorsFilter(everybody());
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(WithAnotherServlet.class)
    static class BehindSecurity {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.cors(cors -> cors.configurationSource(everybody()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithAnotherServlet {

        @Bean
        ServletRegistrationBean<HttpServlet> other() {
            HttpServlet servlet = new HttpServlet() {
                private static final long serialVersionUID = 1L;

                @Override
                protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
                    response.getWriter().write(Target.SERVED + " " + request.getPathInfo());
                }
            };
            return new ServletRegistrationBean<>(servlet, "/other/*");
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Root.class)
    static class Rooted {}

    @RestController
    static class Root {

        @GetMapping
        String root() {
            return Target.SERVED;
        }
    }
}
