package io.headgate.guide;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import com.example.Hello;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.TimeSource;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Rule;
import io.headgate.http.RuleSource;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.LiveRules;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.redis.RedisStore;
import io.headgate.rig.RedisServer;
import io.headgate.testkit.ManualTime;
import io.lettuce.core.RedisURI;
import jakarta.servlet.Filter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** The extensions of the page work where the page says. */
class ExtendingTest {

    private static final String TENANTS = Pages.block("extending.md", "yaml", "subject: tenant");

    @Test
    void runsAnAlgorithmInProcess() {
        ManualTime time = new ManualTime();
        // snippet
        Headgate headgate =
                Headgate.builder().algorithm(new Quota()).timeSource(time).build();
        RateLimiter limiter = headgate.limiter("export", Plan.parse("3/h quota"));
        // end
        assertThat(limiter.tryAcquire("alice", 3)).isAllowed().hasRemaining(0);
        time.advance(Duration.ofMinutes(20));
        assertThat(limiter.tryAcquire("alice")).retriesAfter(Duration.ofMinutes(40));
        time.advance(Duration.ofMinutes(40));
        assertThat(limiter.tryAcquire("alice")).isAllowed().hasRemaining(2);
    }

    @Test
    void runsAnAlgorithmOnRedis() {
        try (RedisServer redis = RedisServer.start()) {
            String uri = redis.uri();
            // snippet
            RedisStore store = RedisStore.builder(RedisURI.create(uri))
                    .algorithm(new Quota())
                    .build();
            // end
            try (store) {
                RateLimiter limiter =
                        Headgate.builder().store(store).build().limiter("export", Plan.parse("3/h quota"));
                assertThat(limiter.tryAcquire("alice", 3)).isAllowed();
                assertThat(limiter.tryAcquire("alice")).isDenied();
            }
        }
    }

    @RestController
    static class Tenants {

        @Bean
        Filter whoseRequestItIs() {
            return (request, response, chain) -> {
                request.setAttribute("tenant", request.getParameter("tenant"));
                chain.doFilter(request, response);
            };
        }

        @GetMapping("/api/export")
        String export() {
            return "everything";
        }
    }

    @Test
    void asksForTheSubjectTheCostAndThePlan() {
        try (Application application =
                Application.start(WebApplicationType.SERVLET, TENANTS, Beans.class, Tenants.class, Hello.class)) {
            assertThat(application.statuses(11, "/api/hello?tenant=acme"))
                    .isEqualTo(Stream.concat(Collections.nCopies(10, 200).stream(), Stream.of(429))
                            .toList());
            assertThat(application.statuses(2, "/api/export?tenant=other")).containsExactly(200, 429);
            assertThat(application.statuses(12, "/api/hello?tenant=gold-acme")).containsOnly(200);
            HttpResponse<String> nobody = application.get("/api/hello");
            assertThat(nobody.statusCode()).isEqualTo(429);
            assertThat(nobody.headers().map()).doesNotContainKey("retry-after");
        }
    }

    static class Polled {

        final AtomicReference<List<Rule>> table = new AtomicReference<>(List.of(rule("2/h")));

        static Rule rule(String limit) {
            return Rule.named("api").paths("/api/**").limits(limit).build();
        }

        @Bean
        AtomicReference<List<Rule>> table() {
            return table;
        }

        @Bean
        ServiceRules rules() {
            return new ServiceRules(table::get);
        }
    }

    @Test
    void takesNewRulesWithoutForgetting() {
        try (Application application = Application.start(WebApplicationType.SERVLET, "", Polled.class, Hello.class)) {
            assertThat(application.statuses(3, "/api/hello")).containsExactly(200, 200, 429);
            application.bean(Polled.class).table.set(List.of(Polled.rule("3/h")));
            application.bean(ServiceRules.class).poll();
            assertThat(application.statuses(2, "/api/hello")).containsExactly(200, 429);
            application.bean(Polled.class).table.set(List.of(Polled.rule("many")));
            application.bean(ServiceRules.class).poll();
            assertThat(application.statuses(1, "/api/hello"))
                    .as("under the last good rules")
                    .containsExactly(429);
        }
    }

    @Test
    void standsBeforeAnotherServer() throws Exception {
        HttpHandler handler = exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        };
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // snippet
        LiveRules rules = new LiveRules(
                RuleSource.of(
                        Rule.named("api").paths("/api/**").limits("10/min").build()),
                new RuleCompiler(
                        StandardSubjects.builder().build(),
                        LedgerFactory.of(Headgate.builder().build()),
                        TimeSource.system(),
                        Map.of(), // cost resolvers, by name
                        Map.of())); // plan resolvers, by name
        JdkFilter filter = new JdkFilter(rules, new Gate(), new StandardAnswers(TimeSource.system()));
        server.createContext("/api/", handler).getFilters().add(filter);
        // end
        server.start();
        try {
            String uri = "http://localhost:" + server.getAddress().getPort() + "/api/x";
            HttpClient client = HttpClient.newHttpClient();
            for (int i = 0; i < 10; i++) {
                assertThat(Application.get(client, uri).statusCode()).isEqualTo(204);
            }
            HttpResponse<String> denied = Application.get(client, uri);
            assertThat(denied.statusCode()).isEqualTo(429);
            assertThat(denied.body()).contains("\"violated-policies\":[\"api\"]");
        } finally {
            server.stop(0);
        }
    }
}
