package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.Api;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RequestContract;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Requests to WebFlux on Netty. */
class WebFluxTest extends RequestContract {

    @Override
    protected Running start(String... properties) {
        return Running.reactive(Application.class, properties);
    }

    /**
     * A request that had to wait for the one before it, and is denied at once, must not be the last that its connection carries:
     * Reactor Netty 1.3.7 would never read the third one.
     */
    @Test
    void goesOnReadingAfterADenial() {
        try (Wire wire = Wire.from("127.0.9.1", application().port())) {
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
    void limitsWhatReturnsPublishers() {
        assertThat(application().statuses(3, "/async/mono")).containsExactly(200, 200, 429);
        assertThat(application().statuses(3, "/streams/ann")).containsExactly(200, 200, 429);
    }

    @Test
    void limitsRoutesThatAreFunctions() {
        long before = remaining();
        assertThat(application().get("/function").body()).isEqualTo("ok");
        assertThat(remaining()).isEqualTo(before - 2);
    }

    /** As a gateway does that forwards to a path of its own. */
    @Test
    void chargesAnExchangeOnceThatIsDispatchedAgain() {
        long before = remaining();
        assertThat(application().get("/again").body()).isEqualTo("ok");
        assertThat(remaining()).isEqualTo(before - 2);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Api.class, Publishers.class})
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
        RouterFunction<ServerResponse> functions() {
            return RouterFunctions.route()
                    .GET("/function", request -> ServerResponse.ok().bodyValue("ok"))
                    .build();
        }
    }

    @RestController
    static class Publishers {

        private final ObjectProvider<DispatcherHandler> dispatcher;
        private final Api.Never never;

        Publishers(ObjectProvider<DispatcherHandler> dispatcher, Api.Never never) {
            this.dispatcher = dispatcher;
            this.never = never;
        }

        @GetMapping("/half")
        Flux<String> half() {
            return Flux.concat(Mono.just("half of it"), never.later());
        }

        @GetMapping("/again")
        Mono<Void> again(ServerWebExchange exchange) {
            return dispatcher
                    .getObject()
                    .handle(exchange.mutate()
                            .request(request -> request.path("/slow"))
                            .build());
        }

        @GetMapping("/async/mono")
        Mono<String> mono() {
            return Mono.just("ok");
        }

        @GetMapping("/slow")
        Mono<String> slow() {
            return Mono.delay(Duration.ofMillis(50)).thenReturn("ok");
        }

        @RateLimit(value = "2/h", key = "#name")
        @GetMapping("/streams/{name}")
        public Flux<String> stream(@PathVariable("name") String name) {
            return Flux.just(name, name);
        }
    }
}
