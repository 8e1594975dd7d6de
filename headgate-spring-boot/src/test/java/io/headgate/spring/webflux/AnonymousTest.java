package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.security.authentication.UsernamePasswordAuthenticationToken;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.core.authority.AuthorityUtils;
import org.springframework.security.core.userdetails.MapReactiveUserDetailsService;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchangeDecorator;
import reactor.core.publisher.Mono;

/** To Spring Security everybody can be somebody; to a limit, whom nobody has authenticated is nobody. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AnonymousTest {

    private Running application;

    @BeforeAll
    void startApplication() {
        application = Running.reactive(
                Application.class,
                new RuleLines()
                        .rule("denied", "/denied", "subject=principal", "missing=deny")
                        .rule("skipped", "/skipped", "subject=principal", "missing=skip")
                        .rule("address", "/address", "subject=principal")
                        .and());
    }

    @AfterAll
    void stopApplication() {
        application.close();
    }

    @Test
    void isNobody() {
        assertThat(application.statuses(1, "/denied")).containsExactly(429);
        assertThat(application.statuses(3, "/skipped")).containsExactly(200, 200, 200);
        assertThat(ask("127.0.8.1", "/address")).containsExactly(200, 200, 429);
        assertThat(ask("127.0.8.2", "/address")).containsExactly(200, 200, 429);
    }

    @Test
    void isSomebodyOnceAuthenticated() {
        String ann = "Basic " + Base64.getEncoder().encodeToString("ann:secret".getBytes(StandardCharsets.UTF_8));
        assertThat(application.statuses(3, "/denied", "Authorization", ann)).containsExactly(200, 200, 429);
    }

    @Test
    void isWhoIsAuthenticatedAndNotWhoWantsToBe() {
        assertThat(user(UsernamePasswordAuthenticationToken.unauthenticated("ann", "secret")))
                .isNull();
        Principal known = UsernamePasswordAuthenticationToken.authenticated("ann", "", AuthorityUtils.NO_AUTHORITIES);
        assertThat(user(known)).isSameAs(known);
        Principal plain = () -> "ann";
        assertThat(user(plain)).isSameAs(plain);
    }

    private static Principal user(Principal principal) {
        return ReactivePrincipal.of(
                        new ServerWebExchangeDecorator(MockServerWebExchange.from(MockServerHttpRequest.get("/"))) {
                            @Override
                            @SuppressWarnings("unchecked")
                            public <T extends Principal> Mono<T> getPrincipal() {
                                return (Mono<T>) Mono.just(principal);
                            }
                        })
                .block();
    }

    private List<Integer> ask(String client, String path) {
        try (Wire wire = Wire.from(client, application.port())) {
            return Stream.generate(() -> wire.write("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n")
                            .read()
                            .status())
                    .limit(3)
                    .toList();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Application {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .anonymous(Customizer.withDefaults())
                    .httpBasic(Customizer.withDefaults())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        MapReactiveUserDetailsService users() {
            return new MapReactiveUserDetailsService(User.withUsername("ann")
                    .password("{noop}secret")
                    .roles("USER")
                    .build());
        }
    }

    @RestController
    static class Api {

        @GetMapping({"/denied", "/skipped", "/address"})
        String ok() {
            return "ok";
        }
    }
}
