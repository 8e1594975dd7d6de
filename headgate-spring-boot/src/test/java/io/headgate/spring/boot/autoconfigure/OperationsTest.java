package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.http.PlanResolver;
import io.headgate.rig.RedisServer;
import io.headgate.spring.KeyEncoder;
import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What operators see of a running application. */
class OperationsTest {

    private static final String[] RULE = {
        "headgate.rules[0].name=api",
        "headgate.rules[0].path=/api",
        "headgate.rules[0].limits=1/h",
        "headgate.rules[0].subject=header:X-Who"
    };

    private static Running start(String... more) {
        return Running.servlet(
                Application.class, Stream.of(RULE, more).flatMap(Stream::of).toArray(String[]::new));
    }

    @Test
    void showsRulesExplainsPeeksAndResets() {
        try (Running application = start(
                "management.endpoints.web.exposure.include=ratelimits",
                "management.endpoint.ratelimits.access=unrestricted")) {
            assertThat(application.statuses(2, "/api", "X-Who", "ann")).containsExactly(200, 429);

            assertThat(application.get("/actuator/ratelimits").body())
                    .contains("\"name\":\"api\"")
                    .doesNotContain("ann\"", "ann,");
            assertThat(application
                            .get("/actuator/ratelimits?method=GET&path=/api")
                            .body())
                    .contains("FIRST");
            String ann = "/actuator/ratelimits/api?kind=header/x-who&subject=ann";
            assertThat(application.get(ann).body()).contains("\"remaining\":0");
            assertThat(application.send("DELETE", ann).statusCode()).isEqualTo(204);
            assertThat(application.get(ann).body()).contains("\"remaining\":1");
            assertThat(application.get("/api", "X-Who", "ann").statusCode()).isEqualTo(200);

            String nowhere = "/actuator/ratelimits/nowhere?kind=header/x-who&subject=ann";
            for (String method : List.of("GET", "DELETE")) {
                HttpResponse<String> unknown = application.send(method, nowhere);
                assertThat(unknown.statusCode()).isEqualTo(404);
                assertThat(unknown.body())
                        .isEqualTo("{\"message\":\"no rule or annotation is called 'nowhere'; there are [api]\"}");
            }
        }
    }

    /** Which limit denies, how it counts and for how long, in a form that can be copied into a rule. */
    @Test
    void tellsHowLongADeniedSubjectHasToWait() {
        try (Running application = start(
                "headgate.rules[0].limits=1/h named hourly,3 per calendar-day Europe/Berlin,0/min",
                "headgate.rules[1].name=log",
                "headgate.rules[1].path=/log",
                "headgate.rules[1].limits=20/min,1/h named hourly",
                "headgate.rules[1].algorithm=sliding-window-log",
                "headgate.rules[1].subject=header:X-Who",
                "management.endpoints.web.exposure.include=ratelimits")) {
            application.get("/log", "X-Who", "ann");
            String ann = "/actuator/ratelimits/log?subject=ann";
            assertThat(application.get(ann).body())
                    .containsPattern("\"allowed\":false,\"remaining\":0,\"retryAfter\":\"PT59M59[0-9.]*S\"")
                    .contains("\"limit\":\"1/h named hourly\",\"algorithm\":\"sliding-window-log\"");
            assertThat(application.get("/actuator/ratelimits/log?subject=bob").body())
                    .contains("\"retryAfter\":null")
                    .contains("\"limit\":\"1/h named hourly\"");
            assertThat(application.get("/actuator/ratelimits/api?subject=ann").body())
                    .contains("\"retryAfter\":null")
                    .contains("\"limit\":\"0/min\",\"algorithm\":\"token-bucket\"");
        }
    }

    @Test
    void doesSoOverJmx() throws JMException {
        try (Running application = start(
                "spring.jmx.enabled=true",
                "headgate.rules[1].name=orders,write",
                "headgate.rules[1].path=/orders",
                "headgate.rules[1].limits=1/h",
                "management.endpoints.jmx.exposure.include=ratelimits",
                "management.endpoint.ratelimits.access=unrestricted")) {
            assertThat(application.statuses(2, "/api", "X-Who", "ann")).containsExactly(200, 429);

            assertThat(invoke("rules", null, null)).asString().contains("name=api");
            assertThat(invoke("rules", "GET", "/api")).asString().contains("role=FIRST");
            assertThat(invoke("standing", "api", null, "ann")).asString().contains("remaining=0");
            assertThat(invoke("reset", "api", null, "ann")).isEqualTo("api");
            assertThat(invoke("standing", "api", null, "ann")).asString().contains("remaining=1");
            assertThat(invoke("reset", "nowhere", null, "ann")).isNull();
            assertThat(invoke("standing", "orders,write", null, "10.0.0.1"))
                    .asString()
                    .contains("remaining=1");
            assertThat(invoke("reset", "orders,write", null, "10.0.0.1")).isEqualTo("orders,write");
        }
    }

    private static @Nullable Object invoke(String operation, @Nullable Object... arguments) throws JMException {
        String[] types =
                Collections.nCopies(arguments.length, String.class.getName()).toArray(String[]::new);
        return ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("org.springframework.boot:type=Endpoint,name=Ratelimits"),
                        operation,
                        arguments,
                        types);
    }

    /** Whoever is asked about goes by the same key as in a request, however operators write it. */
    @Test
    void asksForThoseWhomRequestsAreLimitedAs() {
        try (Running application = start(
                "headgate.rules[1].name=ceiling",
                "headgate.rules[1].path=/api",
                "headgate.rules[1].match=all",
                "headgate.rules[1].limits=9/h",
                "headgate.rules[1].subject=ip",
                "headgate.trusted-proxies=127.0.0.1",
                "management.endpoint.ratelimits.access=unrestricted",
                "management.endpoints.web.exposure.include=ratelimits")) {
            application.get("/api", "X-Who", "ann", "X-Forwarded-For", "2001:db8::1");
            application.get("/api", "X-Who", "bob", "X-Forwarded-For", "203.0.113.7");

            String api = "/actuator/ratelimits/api?";
            for (String who :
                    List.of("subject=ann", "kind=header:X-Who&subject=ann", "kind=header/x-who&subject=ann")) {
                assertThat(application.get(api + who).body()).contains("\"remaining\":0");
            }
            assertThat(application.send("DELETE", api + "subject=ann").statusCode())
                    .isEqualTo(204);
            assertThat(application.get(api + "subject=ann").body()).contains("\"remaining\":1");

            String ceiling = "/actuator/ratelimits/ceiling?subject=";
            for (String address : List.of("2001:db8::1", "2001:DB8::2", "::ffff:203.0.113.7")) {
                assertThat(application.get(ceiling + address).body()).contains("\"remaining\":8");
            }
            application.send("DELETE", ceiling + "2001:db8::2");
            assertThat(application.get(ceiling + "2001:db8::1").body()).contains("\"remaining\":9");
        }
    }

    @Test
    void saysWhatIsWrongWithAQuestion() {
        try (Running application = start(
                "headgate.rules[1].name=either",
                "headgate.rules[1].path=/either",
                "headgate.rules[1].limits=1/h",
                "headgate.rules[1].subject=api-key,ip",
                "management.endpoint.ratelimits.access=unrestricted",
                "management.endpoints.web.exposure.include=ratelimits")) {
            Map<String, String> wrong = Map.of(
                    "kind=ip", "'subject' is required",
                    "kind=ip&subject=", "one address such as",
                    "subject=ann", "[api-key, ip]",
                    "kind=ip&subject=ann", "one address such as",
                    "kind=moon&subject=ann", "there are [api-key");
            wrong.forEach((question, said) -> {
                for (String method : List.of("GET", "DELETE")) {
                    HttpResponse<String> answer = application.send(method, "/actuator/ratelimits/either?" + question);
                    assertThat(answer.statusCode()).isEqualTo(400);
                    assertThat(answer.body()).contains(said).doesNotContain("ann");
                }
            });
        }
    }

    /** An answer about somebody whom no request is limited as would be a budget that nobody has. */
    @Test
    void answersForNobodyWhomTheRuleDoesNotKnow() {
        try (Running application = start(
                "headgate.rules[3].name=both",
                "headgate.rules[3].path=/both",
                "headgate.rules[3].limits=1/h",
                "headgate.rules[3].subject=ip + route",
                "headgate.rules[1].name=keyed",
                "headgate.rules[1].path=/keyed",
                "headgate.rules[1].limits=1/h",
                "headgate.rules[1].subject=api-key,principal + route",
                "headgate.rules[2].name=strict",
                "headgate.rules[2].path=/strict",
                "headgate.rules[2].limits=1/h",
                "headgate.rules[2].subject=principal",
                "headgate.rules[2].missing=skip",
                "management.endpoint.ratelimits.access=unrestricted",
                "management.endpoints.web.exposure.include=ratelimits")) {
            Map<String, String> unknown = Map.of(
                    "both?kind=ip&subject=127.0.0.1", "[ip + route]",
                    "both?kind=route&subject=GET /api", "[ip + route]",
                    "keyed?kind=principal&subject=ann", "[api-key, principal + route]",
                    "keyed?kind=header:X-Other&subject=ann", "[api-key, principal + route]",
                    "strict?kind=ip&subject=127.0.0.1", "[principal]",
                    "strict?kind=unknown&subject=*", "[principal]");
            unknown.forEach((question, words) -> {
                for (String method : List.of("GET", "DELETE")) {
                    HttpResponse<String> answer =
                            application.send(method, "/actuator/ratelimits/" + question.replace(" ", "%20"));
                    assertThat(answer.statusCode()).as(question).isEqualTo(400);
                    assertThat(answer.body()).contains(words).doesNotContain("ann", "127.0.0.1");
                }
            });
            for (String known : List.of(
                    "both?kind=unknown&subject=*",
                    "keyed?kind=api-key&subject=ann",
                    "keyed?kind=header:x-api-key&subject=ann",
                    "keyed?kind=header/x-api-key&subject=ann",
                    "keyed?kind=ip&subject=127.0.0.1",
                    "strict?kind=principal&subject=ann")) {
                assertThat(application.get("/actuator/ratelimits/" + known).statusCode())
                        .as(known)
                        .isEqualTo(200);
            }
        }
    }

    /** Tomcat rejects a slash that is encoded, and so does Spring Security. */
    @Test
    void asksForRulesWithSlashesInTheirNames() {
        Map<String, String> paths = Map.of(
                "orders/write", "orders/write",
                "/api/login", "api/login",
                "GET /orders/{id}", "GET%20/orders/%7Bid%7D");
        RuleLines rules = new RuleLines();
        paths.keySet().forEach(name -> rules.rule(name, "/api", "match=all", "limits=1/h"));
        try (Running application = Running.servlet(
                Application.class,
                rules.and(
                        "management.endpoint.ratelimits.access=unrestricted",
                        "management.endpoints.web.exposure.include=ratelimits"))) {
            assertThat(application.get("/api").statusCode()).isEqualTo(200);
            paths.forEach((name, path) -> {
                String standing = "/actuator/ratelimits/" + path + "?subject=127.0.0.1";
                assertThat(application.get(standing).body()).as(name).contains("\"remaining\":0");
                assertThat(application.send("DELETE", standing).statusCode()).isEqualTo(204);
                assertThat(application.get(standing).body()).contains("\"remaining\":1");
            });
        }
    }

    /** What this process makes up while the store is away is no standing to go by, and nothing is given back then. */
    @Test
    void saysThatTheStoreIsAway() {
        try (Running application = Running.servlet(
                Unreliable.class,
                "headgate.rules[0].name=local",
                "headgate.rules[0].path=/api",
                "headgate.rules[0].limits=9/h",
                "headgate.rules[1].name=closed",
                "headgate.rules[1].path=/closed",
                "headgate.rules[1].limits=9/h",
                "headgate.rules[1].on-store-failure=closed",
                "headgate.rules[2].name=planned",
                "headgate.rules[2].path=/planned",
                "headgate.rules[2].limits=9/h",
                "headgate.rules[2].plan-resolver=failing",
                "management.endpoint.ratelimits.access=unrestricted",
                "management.endpoints.web.exposure.include=ratelimits")) {
            String local = "/actuator/ratelimits/local?subject=203.0.113.7";
            String closed = "/actuator/ratelimits/closed?subject=203.0.113.7";
            String planned = "/actuator/ratelimits/planned?subject=203.0.113.7";
            assertThat(application.get(local).body()).contains("\"degraded\":false");
            assertThat(application.get(closed).body()).contains("\"degraded\":false");
            for (String method : List.of("GET", "DELETE")) {
                HttpResponse<String> answer = application.send(method, planned);
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body()).contains("plan").doesNotContain("203.0.113.7");
            }

            application.context().getBean(UnreliableStore.class).failWith(StoreException.Reason.UNREACHABLE);
            assertThat(application.get(local).body()).contains("\"degraded\":true");
            for (HttpResponse<String> answer : List.of(
                    application.get(closed), application.send("DELETE", closed), application.send("DELETE", local))) {
                assertThat(answer.statusCode()).isEqualTo(503);
                assertThat(answer.body()).contains("\"message\":\"told to fail\"");
            }
        }
    }

    /** Shared counts, and names of keys that the application makes up. */
    @Test
    void asksRedisForThemToo() {
        try (RedisServer redis = RedisServer.start();
                Running application = Running.servlet(
                        Encoded.class,
                        "headgate.store=redis",
                        "headgate.instances=1",
                        "spring.data.redis.port=" + redis.port(),
                        "headgate.rules[0].name=api",
                        "headgate.rules[0].path=/api",
                        "headgate.rules[0].limits=1/h",
                        "headgate.rules[0].on-store-failure=closed",
                        "headgate.guard.deadline=10s",
                        "headgate.trusted-proxies=127.0.0.1",
                        "management.endpoint.ratelimits.access=unrestricted",
                        "management.endpoints.web.exposure.include=ratelimits")) {
            String[] ann = {"X-Forwarded-For", "2001:db8::1"};
            String standing = "/actuator/ratelimits/api?subject=2001:db8::2";
            assertThat(application.statuses(2, "/api", ann)).containsExactly(200, 429);
            assertThat(application.get(standing).body()).contains("\"remaining\":0");
            assertThat(application.send("DELETE", standing).statusCode()).isEqualTo(204);
            assertThat(application.get("/api", ann).statusCode()).isEqualTo(200);
        }
    }

    /** Known bug H13: nothing is exposed unless somebody says so. */
    @Test
    void exposesNothingByDefault() {
        try (Running application = start()) {
            assertThat(application.get("/actuator/ratelimits").statusCode()).isEqualTo(404);
        }
    }

    /** Known bug H13: who may look may not change anything, unless somebody says so. */
    @Test
    void onlyReadsByDefault() {
        try (Running application = start("management.endpoints.web.exposure.include=*")) {
            String ann = "/actuator/ratelimits/api?kind=header/x-who&subject=ann";
            application.get("/api", "X-Who", "ann");
            assertThat(application.send("DELETE", ann).statusCode()).isEqualTo(405);
            assertThat(application.get(ann).body()).contains("\"remaining\":0");
        }
    }

    /** Known bugs K05, H12: an API key that is never limited is a secret all the same. */
    @Test
    void showsNoSubjects() {
        try (Running application = start(
                "headgate.rules[0].bypass=10.9.0.0/16,s3cret",
                "management.endpoints.web.exposure.include=ratelimits")) {
            for (String query : List.of("", "?path=/api", "?path=/elsewhere")) {
                assertThat(application.get("/actuator/ratelimits" + query).body())
                        .contains("10.9.0.0/16", "******")
                        .doesNotContain("s3cret");
            }
            assertThat(application.statuses(2, "/api", "X-Who", "s3cret")).containsExactly(200, 200);
        }
    }

    @Test
    void asksUnderThePlanOfTheSubject() {
        try (Running application = start(
                "headgate.rules[0].plan-resolver=tiers", "management.endpoints.web.exposure.include=ratelimits")) {
            String standing = "/actuator/ratelimits/api?kind=header/x-who&subject=";
            assertThat(application.get(standing + "pro").body()).contains("\"remaining\":3");
            assertThat(application.get(standing + "ann").body()).contains("\"remaining\":1");
        }
    }

    /** Known bugs H12, K05: counted by rule and outcome and by nothing that a client sent. */
    @Test
    void countsDecisions() {
        try (Running application = start()) {
            application.statuses(3, "/api", "X-Who", "ann");
            MeterRegistry registry = application.context().getBean(MeterRegistry.class);
            assertThat(registry.get("headgate.decisions")
                            .tags("rule", "api", "outcome", "allowed")
                            .counter()
                            .count())
                    .isEqualTo(1);
            assertThat(registry.get("headgate.decisions")
                            .tags("rule", "api", "outcome", "denied")
                            .counter()
                            .count())
                    .isEqualTo(2);
            assertThat(registry.get("headgate.keys").gauge().value()).isEqualTo(1);
            Set<String> tags = registry.getMeters().stream()
                    .map(Meter::getId)
                    .filter(id -> id.getName().startsWith("headgate."))
                    .flatMap(id -> id.getTags().stream())
                    .map(tag -> tag.getKey())
                    .collect(Collectors.toSet());
            assertThat(tags).containsExactlyInAnyOrder("rule", "outcome", "policy");
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Api.class)
    static class Application {

        @Bean
        SimpleMeterRegistry meters() {
            return new SimpleMeterRegistry();
        }

        @Bean
        PlanResolver tiers() {
            return PlanResolver.of(subject ->
                    Optional.of(Plan.parse("3/h")).filter(pro -> subject.value().equals("pro")));
        }

        @Bean
        SecurityFilterChain security(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .csrf(csrf -> csrf.disable())
                    .build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Application.class)
    static class Encoded {

        @Bean
        KeyEncoder names() {
            return (scope, subject) -> "ours/" + scope + "/" + subject;
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Application.class)
    static class Unreliable {

        @Bean
        UnreliableStore store() {
            return new UnreliableStore();
        }

        @Bean
        PlanResolver failing() {
            return (subject, request) -> CompletableFuture.failedFuture(new IllegalStateException(subject.value()));
        }
    }

    @RestController
    static class Api {

        @GetMapping("/api")
        String api() {
            return "ok";
        }
    }
}
