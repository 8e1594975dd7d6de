package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.http.CostResolver;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.headgate.spring.Wire;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.savedrequest.NoOpServerRequestCache;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.WebSession;
import org.springframework.web.server.session.DefaultWebSessionManager;
import org.springframework.web.server.session.InMemoryWebSessionStore;
import org.springframework.web.server.session.WebSessionManager;
import reactor.core.publisher.Mono;

/** Who the user is, where Spring Security keeps that in a session: on other threads, and perhaps far away. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class UserTest {

    private Running application;

    @BeforeAll
    void startApplication() {
        application = Running.reactive(
                Application.class,
                new RuleLines()
                        .rule("address", "/address", "limits=1000/h")
                        .rule("header", "/header", "subject=api-key + route", "limits=1000/h")
                        .rule("user", "/user", "subject=principal", "limits=1000/h")
                        .rule("both", "/both", "subject=api-key,ip + principal", "limits=1000/h")
                        .rule("own", "/own", "subject=somebody", "limits=1000/h")
                        .rule("cost", "/cost", "cost-resolver=some", "limits=1000/h")
                        .and());
    }

    @AfterAll
    void stopApplication() {
        application.close();
    }

    /** No session is loaded for a limit that is not about users. */
    @ParameterizedTest
    @ValueSource(strings = {"/free", "/address", "/header", "/annotated", "/none"})
    void isNotAskedForInVain(String path) {
        int before = Sessions.asked.get();

        int status = application.get(path, "Cookie", "SESSION=lost").statusCode();

        assertThat(status).isEqualTo(path.equals("/none") ? 404 : 200);
        assertThat(Sessions.asked).hasValue(before);
    }

    /** It is served by the event loop of its connection then, as what no rule is about. */
    @ParameterizedTest
    @ValueSource(strings = {"/user", "/both", "/own", "/cost"})
    void isAskedForAndWaitedFor(String path) {
        int before = Sessions.asked.get();
        try (Wire wire = Wire.from("127.0.0.1", application.port())) {
            for (int i = 0; i < 20; i++) {
                String loop = thread(wire, "/free");
                assertThat(thread(wire, path)).isEqualTo(loop);
            }
        }
        assertThat(Sessions.asked).hasValue(before + 20);
    }

    /** As a resolver that fails: the rule says what then. */
    @Test
    void isMissedWithoutAFailureWhereLimitingGoesOn() {
        assertThat(application.get("/free", "Cookie", "SESSION=down").statusCode())
                .isEqualTo(200);
        assertThat(application.get("/user", "Cookie", "SESSION=down").statusCode())
                .isEqualTo(200);
    }

    private static String thread(Wire wire, String path) {
        return wire.write("GET " + path + " HTTP/1.1\r\nHost: a\r\n\r\n").read().body();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Application {

        @Bean
        SecurityWebFilterChain security(ServerHttpSecurity http) {
            return http.authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .requestCache(cache -> cache.requestCache(NoOpServerRequestCache.getInstance()))
                    .csrf(csrf -> csrf.disable())
                    .build();
        }

        @Bean
        WebSessionManager webSessionManager() {
            DefaultWebSessionManager sessions = new DefaultWebSessionManager();
            sessions.setSessionStore(new Sessions());
            return sessions;
        }

        @Bean
        SubjectResolver somebody() {
            return request -> Subject.of("", String.valueOf(request.principal()));
        }

        @Bean
        CostResolver some() {
            return request -> request.principal() == null ? 2 : 1;
        }
    }

    @RestController
    static class Api {

        @GetMapping({"/free", "/address", "/header", "/user", "/both", "/own", "/cost"})
        String thread() {
            return Thread.currentThread().getName();
        }

        @RateLimit(value = "1000/h", cost = "2")
        @GetMapping("/annotated")
        String annotated() {
            return thread();
        }
    }

    /** Sessions in memory, which Spring makes on threads of its own; one of them cannot be had. */
    static class Sessions extends InMemoryWebSessionStore {

        static final AtomicInteger asked = new AtomicInteger();

        @Override
        public Mono<WebSession> createWebSession() {
            asked.incrementAndGet();
            return super.createWebSession();
        }

        @Override
        public Mono<WebSession> retrieveSession(String id) {
            asked.incrementAndGet();
            return id.equals("down") ? Mono.error(new IllegalStateException("down")) : super.retrieveSession(id);
        }
    }
}
