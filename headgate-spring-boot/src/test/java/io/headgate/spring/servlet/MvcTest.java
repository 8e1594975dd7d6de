package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.Running;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Requests to Spring MVC on Tomcat, over sockets. */
class MvcTest {

    private static Running application;

    @BeforeAll
    static void start() {
        String[] rules = {"plain", "async", "future", "broken", "forward", "target", "cors", "echo", "keyed"};
        String[] properties = new String[rules.length * 3 + 9];
        for (int i = 0; i < rules.length; i++) {
            properties[3 * i] = "headgate.rules[" + i + "].name=" + rules[i];
            properties[3 * i + 1] = "headgate.rules[" + i + "].path=/" + rules[i] + "/**";
            properties[3 * i + 2] = "headgate.rules[" + i + "].limits=2/h";
        }
        int next = 3 * rules.length;
        properties[next] = "headgate.rules[9].name=login";
        properties[next + 1] = "headgate.rules[9].path=/login,/early/**";
        properties[next + 2] = "headgate.rules[9].limits=2/h";
        properties[next + 3] = "headgate.rules[9].stage=filter";
        properties[next + 4] = "headgate.rules[10].name=everything";
        properties[next + 5] = "headgate.rules[10].path=/**";
        properties[next + 6] = "headgate.rules[10].limits=1000/h";
        properties[next + 7] = "headgate.rules[10].match=all";
        properties[next + 8] = "headgate.rules[10].algorithm=sliding-window-log"; // nothing comes back meanwhile
        application = Running.servlet(Application.class, properties);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @Test
    void refusesWhatExceedsTheLimit() {
        assertThat(application.statuses(2, "/plain")).containsOnly(200);
        HttpResponse<String> refusal = application.get("/plain");
        assertThat(refusal.statusCode()).isEqualTo(429);
        assertThat(refusal.headers().firstValue("Retry-After").orElseThrow()).matches("1(799|800)");
        assertThat(refusal.headers().firstValue("RateLimit-Policy")).contains("\"plain\";q=2;w=3600");
        assertThat(refusal.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"plain\";r=0;t=");
        assertThat(refusal.headers().firstValue("X-RateLimit-Remaining")).contains("0");
        assertThat(refusal.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(refusal.body()).contains("quota-exceeded", "\"violated-policies\":[\"plain\"]", "\"retryAfter\":");
    }

    @Test
    void tellsWhatRemains() {
        HttpResponse<String> first = application.get("/keyed", "X-API-Key", "k");
        assertThat(first.headers().firstValue("RateLimit").orElseThrow()).contains("\"keyed\";r=1;");
        assertThat(first.headers().firstValue("X-RateLimit-Remaining")).contains("1");
    }

    /** CATALOGUE A10, M05: an asynchronous handler is dispatched twice and charged once. */
    @Test
    void chargesAsynchronousRequestsOnce() {
        assertThat(application.statuses(3, "/async")).containsExactly(200, 200, 429);
        assertThat(application.statuses(3, "/future")).containsExactly(200, 200, 429);
    }

    /** CATALOGUE A10, M06: so is one whose error is shown. */
    @Test
    void chargesFailingRequestsOnce() {
        long before = remaining();
        assertThat(application.statuses(3, "/broken")).containsExactly(500, 500, 429);
        assertThat(remaining()).isEqualTo(before - 2 - 1); // the refused one got its permit back; asking took one
    }

    /** CATALOGUE A10, P20: a forward meets the rules of its target, and those of both paths once. */
    @Test
    void chargesForwardsOncePerRule() {
        long before = remaining();
        assertThat(application.get("/forward").statusCode()).isEqualTo(200);
        assertThat(remaining()).isEqualTo(before - 2);
        assertThat(application.get("/target").statusCode()).isEqualTo(200);
        assertThat(application.get("/target").statusCode()).isEqualTo(429);
        assertThat(application.get("/forward").statusCode()).isEqualTo(429);
    }

    /** CATALOGUE M02, R04. */
    @Test
    void letsPreflightsPassAndRefusesReadably() {
        for (int i = 0; i < 5; i++) {
            assertThat(application
                            .send("OPTIONS", "/cors", "Origin", "http://page", "Access-Control-Request-Method", "GET")
                            .statusCode())
                    .isEqualTo(200);
        }
        assertThat(application.statuses(2, "/cors", "Origin", "http://page")).containsOnly(200);
        HttpResponse<String> refusal = application.get("/cors", "Origin", "http://page");
        assertThat(refusal.statusCode()).isEqualTo(429);
        assertThat(refusal.headers().firstValue("Access-Control-Allow-Origin")).contains("http://page");
    }

    /** CATALOGUE M02: what only looks a bit like a preflight is charged. */
    @Test
    void chargesOtherOptions() {
        assertThat(application.send("OPTIONS", "/echo").statusCode()).isEqualTo(200);
        assertThat(application.send("OPTIONS", "/echo", "Origin", "http://page").statusCode())
                .isEqualTo(200);
        assertThat(application.send("OPTIONS", "/echo").statusCode()).isEqualTo(429);
    }

    /** Spring Security sends strangers away with a 401; the limit comes first, and pages can read it. */
    @Test
    void refusesBeforeSpringSecurity() {
        assertThat(application.statuses(2, "/early", "Origin", "http://page")).containsOnly(401);
        HttpResponse<String> refusal = application.get("/early", "Origin", "http://page");
        assertThat(refusal.statusCode()).isEqualTo(429);
        assertThat(refusal.headers().firstValue("Access-Control-Allow-Origin")).contains("http://page");
    }

    @Test
    void checksTheLimitsOfHandlersWithTheRules() {
        assertThat(application.statuses(3, "/limited")).containsExactly(200, 200, 429);
        assertThat(application.get("/limited").headers().firstValue("RateLimit-Policy"))
                .contains("\"Api#limited\";q=2;w=3600");
    }

    /** The argument is known only when the handler is called; the answer is the same. CATALOGUE H11: in spite of the advice. */
    @Test
    void limitsHandlersByTheirArguments() {
        assertThat(application.statuses(3, "/users/ann")).containsExactly(200, 200, 429);
        assertThat(application.get("/users/bob").statusCode()).isEqualTo(200);
        HttpResponse<String> refusal = application.get("/users/ann");
        assertThat(refusal.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(refusal.headers().firstValue("Retry-After")).isPresent();
    }

    private static long remaining() {
        String header =
                application.get("/free").headers().firstValue("RateLimit").orElseThrow();
        return Long.parseLong(header.replaceAll(".*\"everything\";r=(\\d+).*", "$1"));
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Advice.class})
    static class Application {

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                                    DispatcherType.FORWARD, DispatcherType.ERROR, DispatcherType.ASYNC)
                            .permitAll()
                            .requestMatchers("/early/**")
                            .authenticated()
                            .anyRequest()
                            .permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @RestControllerAdvice
    static class Advice {

        /** Takes everything for its own but what is to show as an error. */
        @ExceptionHandler(RuntimeException.class)
        String other(RuntimeException thrown) {
            if (thrown instanceof IllegalStateException) {
                throw thrown;
            }
            return "handled";
        }
    }

    @RestController
    static class Api {

        @GetMapping({"/plain", "/free", "/target", "/keyed"})
        String plain() {
            return "ok";
        }

        @GetMapping("/async")
        Callable<String> async() {
            return () -> "ok";
        }

        @GetMapping("/future")
        CompletableFuture<String> future() {
            return CompletableFuture.supplyAsync(() -> "ok");
        }

        @GetMapping("/broken")
        String broken() {
            throw new IllegalStateException("on purpose");
        }

        @GetMapping("/forward")
        void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
            RequestDispatcher target = request.getRequestDispatcher("/target");
            target.forward(request, response);
        }

        @CrossOrigin("http://page")
        @GetMapping({"/cors", "/early"})
        List<String> cors() {
            return List.of("ok");
        }

        @RequestMapping("/echo")
        String echo(HttpServletRequest request) {
            return request.getMethod();
        }

        @RateLimit("2/h")
        @GetMapping("/limited")
        String limited() {
            return "ok";
        }

        @RateLimit(value = "2/h", key = "#name")
        @GetMapping("/users/{name}")
        public String user(@PathVariable("name") String name) {
            return name;
        }
    }
}
