package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.Api;
import io.headgate.spring.RequestContract;
import io.headgate.spring.Running;
import io.headgate.spring.line.Line;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;

/** Requests to Spring MVC on Tomcat, where one request may be dispatched several times. */
class MvcTest extends RequestContract {

    @Override
    protected Running start(String... properties) {
        return Running.servlet(Application.class, properties);
    }

    /** Spring Security's CORS filter comes first, with a configuration for other paths. */
    @Override
    protected int preflight() {
        return Line.PREFLIGHT_WITHOUT_CONFIGURATION;
    }

    /** Known bugs A10, M05: a dispatch for what became of asynchronous work is not another request. */
    @ParameterizedTest
    @ValueSource(strings = {"callable", "deferred", "events", "stream"})
    void chargesAsynchronousDispatchesOnce(String kind) {
        long before = remaining();
        assertThat(application().get("/free/" + kind).statusCode()).isEqualTo(200);
        assertThat(remaining()).isEqualTo(before - 2);
    }

    /** Known bugs A10, P20: a forward meets the rules of its target, and those of both paths once. */
    @Test
    void chargesForwardsOncePerRule() {
        long before = remaining();
        HttpResponse<String> forwarded = application().get("/forward");
        assertThat(forwarded.statusCode()).isEqualTo(200);
        assertThat(forwarded.headers().allValues("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(forwarded.headers().allValues("RateLimit-Policy"))
                .singleElement()
                .asString()
                .contains("\"forward\"", "\"target\"", "\"everything\"");
        assertThat(remaining()).isEqualTo(before - 2);
        assertThat(application().get("/target").statusCode()).isEqualTo(200);
        assertThat(application().get("/target").statusCode()).isEqualTo(429);
        assertThat(application().get("/forward").statusCode()).isEqualTo(429);
        assertThat(application().get("/include").body()).isEqualTo("[]");
    }

    /** What was charged within an include is remembered after it; a denial charges nothing, so it is asked for again. */
    @Test
    void deniesWhatIsIncludedTwiceBothTimes() {
        assertThat(application().get("/parts").body()).isEqualTo("[ok|ok]");
        assertThat(application().get("/parts").body()).isEqualTo("[ok|ok]");
        assertThat(application().get("/parts").body()).isEqualTo("[|]");
        assertThat(application().get("/parts").body()).isEqualTo("[|]");
    }

    /** Known bug M07: nor is having an error shown that a handler or filter only asked for. */
    @Test
    void chargesErrorsThatAreSentOnce() {
        long before = remaining();
        assertThat(application().get("/free/gone").statusCode()).isEqualTo(410);
        assertThat(remaining()).isEqualTo(before - 2);
        assertThat(application().get("/free/draft?sent=early").statusCode()).isEqualTo(410);
        assertThat(remaining()).isEqualTo(before - 2 - 1); // no handler was reached
        assertThat(application().get("/free/draft?sent=late").statusCode()).isEqualTo(410);
        assertThat(remaining()).isEqualTo(before - 3 - 2);
        assertThat(application().statuses(3, "/sent?sent=early")).containsExactly(410, 410, 429);
    }

    /** Whatever was written before goes, however it was. */
    @ParameterizedTest
    @ValueSource(strings = {"forward", "call"})
    void deniesWhereTheWriterIsTaken(String how) {
        HttpResponse<String> denial = application().get("/free/written/" + how);
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.body()).startsWith("{").endsWith("}").contains("quota-exceeded");
        assertThat(denial.headers().firstValue("Content-Type").orElseThrow()).startsWith("application/problem+json");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Dispatches.class})
    static class Application {

        /** For a path whose handler allows another origin. */
        @Bean
        CorsConfigurationSource originsOfOthers() {
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/early", elsewhere());
            return source;
        }

        @Bean
        CorsConfigurationSource corsConfigurationSource() {
            UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/shared", elsewhere());
            source.registerCorsConfiguration("/strange", elsewhere());
            return source;
        }

        @Bean
        Filter sender() {
            return (request, response, chain) -> {
                String when = String.valueOf(request.getParameter("sent"));
                if (!when.equals("early")) {
                    chain.doFilter(request, response);
                }
                if (!when.equals("null") && request.getDispatcherType() == DispatcherType.REQUEST) {
                    response.resetBuffer();
                    ((HttpServletResponse) response).sendError(HttpServletResponse.SC_GONE);
                }
            };
        }

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.dispatcherTypeMatchers(
                                    DispatcherType.FORWARD,
                                    DispatcherType.INCLUDE,
                                    DispatcherType.ERROR,
                                    DispatcherType.ASYNC)
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

    @RestController
    static class Dispatches {

        private final Api.Never never;

        Dispatches(Api.Never never) {
            this.never = never;
        }

        @GetMapping("/half")
        void half(HttpServletResponse response) throws Exception {
            response.getWriter().print("half of it");
            response.flushBuffer();
            never.now();
        }

        @GetMapping("/free/draft")
        void draft(HttpServletResponse response) throws Exception {
            response.getWriter().print("draft");
        }

        @GetMapping("/free/written/forward")
        void writeAndForward(HttpServletRequest request, HttpServletResponse response) throws Exception {
            draft(response);
            request.getRequestDispatcher("/closed").forward(request, response);
        }

        @GetMapping("/free/written/call")
        void writeAndCall(HttpServletResponse response) throws Exception {
            response.setContentLength(100);
            draft(response);
            never.now();
        }

        @GetMapping("/free/callable")
        Callable<String> callable() {
            return () -> "ok";
        }

        @GetMapping("/free/deferred")
        DeferredResult<String> deferred() {
            DeferredResult<String> result = new DeferredResult<>();
            new Thread(() -> result.setResult("ok")).start();
            return result;
        }

        @GetMapping("/free/events")
        SseEmitter events() throws Exception {
            SseEmitter events = new SseEmitter();
            events.send("ok");
            events.complete();
            return events;
        }

        @GetMapping("/free/stream")
        StreamingResponseBody stream() {
            return out -> out.write("ok".getBytes(StandardCharsets.UTF_8));
        }

        @GetMapping("/free/gone")
        void gone(HttpServletResponse response) throws Exception {
            response.sendError(HttpServletResponse.SC_GONE);
        }

        @GetMapping("/forward")
        void forward(HttpServletRequest request, HttpServletResponse response) throws Exception {
            request.getRequestDispatcher("/target").forward(request, response);
        }

        @GetMapping("/include")
        void include(HttpServletRequest request, HttpServletResponse response) throws Exception {
            response.getOutputStream().print("[");
            request.getRequestDispatcher("/target").include(request, response);
            response.getOutputStream().print("]");
        }

        @GetMapping("/parts")
        void parts(HttpServletRequest request, HttpServletResponse response) throws Exception {
            response.getOutputStream().print("[");
            request.getRequestDispatcher("/part").include(request, response);
            response.getOutputStream().print("|");
            request.getRequestDispatcher("/part").include(request, response);
            response.getOutputStream().print("]");
        }

        @GetMapping("/part")
        void part(HttpServletResponse response) throws Exception {
            response.getOutputStream().print("ok");
        }
    }
}
