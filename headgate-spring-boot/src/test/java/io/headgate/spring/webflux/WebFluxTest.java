package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RateLimit;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.CrossOrigin;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests to WebFlux on Netty, over sockets. */
class WebFluxTest {

    private static Running application;

    @BeforeAll
    static void start() {
        application = Running.reactive(
                Application.class,
                "headgate.rules[0].name=plain",
                "headgate.rules[0].path=/plain/**",
                "headgate.rules[0].limits=2/h",
                "headgate.rules[1].name=cors",
                "headgate.rules[1].path=/cors",
                "headgate.rules[1].limits=2/h",
                "headgate.rules[2].name=early",
                "headgate.rules[2].path=/early",
                "headgate.rules[2].limits=2/h",
                "headgate.rules[2].stage=filter");
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
        assertThat(refusal.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(refusal.body()).contains("quota-exceeded", "\"violated-policies\":[\"plain\"]");
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

    @Test
    void refusesBeforeSpringSecurity() {
        assertThat(application.statuses(3, "/early")).containsExactly(401, 401, 429);
    }

    /**
     * A request that had to wait for the one before it, and is refused at once, must not be the last that its connection carries:
     * Reactor Netty 1.3.7 would never read the third one.
     */
    @Test
    void goesOnReadingAfterARefusal() {
        try (Wire wire = Wire.from("127.0.9.1", application.port())) {
            for (int i = 0; i < 2; i++) {
                assertThat(wire.write("GET /early HTTP/1.1\r\nHost: a\r\n\r\n")
                                .read()
                                .status())
                        .isEqualTo(401);
            }
            wire.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\nGET /early HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(wire.read().status()).isEqualTo(200);
            assertThat(wire.read().status()).isEqualTo(429);
            assertThat(wire.write("GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
                            .read()
                            .status())
                    .isEqualTo(200);
        }
    }

    @Test
    void checksTheLimitsOfHandlers() {
        assertThat(application.statuses(3, "/limited")).containsExactly(200, 200, 429);
        assertThat(application.get("/limited").headers().firstValue("RateLimit-Policy"))
                .contains("\"Api#limited\";q=2;w=3600");
    }

    @Test
    void limitsHandlersByTheirArguments() {
        assertThat(application.statuses(3, "/users/ann")).containsExactly(200, 200, 429);
        assertThat(application.get("/users/bob").body()).isEqualTo("bob");
        assertThat(application.get("/users/ann").headers().firstValue("Retry-After"))
                .isPresent();
        assertThat(application.statuses(3, "/streams/ann")).containsExactly(200, 200, 429);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Application {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges
                            .pathMatchers("/early")
                            .authenticated()
                            .anyExchange()
                            .permitAll())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @RestController
    static class Api {

        @GetMapping({"/plain", "/early"})
        Mono<String> plain() {
            return Mono.just("ok");
        }

        @GetMapping("/slow")
        Mono<String> slow() {
            return Mono.delay(Duration.ofMillis(50)).thenReturn("ok");
        }

        @CrossOrigin("http://page")
        @GetMapping("/cors")
        String cors() {
            return "ok";
        }

        @RateLimit("2/h")
        @GetMapping("/limited")
        Mono<String> limited() {
            return Mono.just("ok");
        }

        @RateLimit(value = "2/h", key = "#name")
        @GetMapping("/users/{name}")
        public Mono<String> user(@PathVariable("name") String name) {
            return Mono.just(name);
        }

        @RateLimit(value = "2/h", key = "#name")
        @GetMapping("/streams/{name}")
        public Flux<String> stream(@PathVariable("name") String name) {
            return Flux.just(name, name);
        }
    }
}
