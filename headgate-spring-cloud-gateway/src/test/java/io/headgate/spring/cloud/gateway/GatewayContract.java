package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** What both gateways do, on a real server in front of a real service. Limits are per hour, so that no permit returns during a test. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class GatewayContract {

    private final Kind kind;
    private final Upstream upstream = new Upstream();
    private Gateway gateway;
    private int route;
    private final List<String> routes = new ArrayList<>();

    GatewayContract(Kind kind) {
        this.kind = kind;
    }

    /** The properties of the store. */
    List<String> store() {
        return List.of();
    }

    @BeforeAll
    void start() {
        route("plain", "/plain/**");
        route("own", "/own/**", "RateLimit=2/h, header:X-Tenant");
        route("other", "/other/**", "RateLimit=2/h, header:X-Tenant");
        route("shared-1", "/shared-1/**", "RateLimit=2/h, api-key, checkout");
        route("shared-2", "/shared-2/**", "RateLimit=2/h, api-key, checkout");
        route("rule", "/rule/**", "RateLimit=partners");
        route("both", "/both/**", "RateLimit=3/h, header:X-Tenant");
        route("once", "/once/**", "RateLimit=once");
        route("two", "/two/**", "RateLimit=3/h, header:X-Tenant", "RateLimit=2/h, global, ceiling");
        route("address", "/address/**", "RateLimit=2/h");
        route("retry-behind", "/broken/behind/**", "RateLimit=3/h", "Retry=2");
        route("retry-before", "/broken/before/**", "Retry=2", "RateLimit=3/h");
        route("set", "/set/**", "SetRequestHeader=X-Tenant, same", "RateLimit=2/h, header:X-Tenant");
        route("off", "/off/**", "RateLimit=off");
        route("naïve: \"id\"", "/odd/**", "RateLimit=1/h, global");
        routes.addAll(Gateway.route(
                kind,
                route++,
                "forward",
                "forward:/shared-1/forwarded",
                "/forward/**",
                "RateLimit=2/h, api-key, checkout"));
        routes.addAll(List.of(
                "headgate.rules.plain.path=/plain/**",
                "headgate.rules.plain.subject=header:X-Tenant",
                "headgate.rules.plain.limits=2/h",
                "headgate.rules.partners.subject=api-key",
                "headgate.rules.partners.limits=2/h",
                "headgate.rules.both.path=/both/**",
                "headgate.rules.both.subject=header:X-Tenant",
                "headgate.rules.both.limits=2/h",
                "headgate.rules.once.path=/once/**",
                "headgate.rules.once.subject=global",
                "headgate.rules.once.limits=2/h",
                "headgate.rules.off.limits=1/h",
                "headgate.rules.off.behavior=off",
                "headgate.trusted-proxies=10.0.0.0/8"));
        routes.addAll(store());
        gateway = Gateway.start(kind, routes);
    }

    private void route(String id, String path, String... filters) {
        routes.addAll(Gateway.route(kind, route++, id, upstream.uri(), path, filters));
    }

    @AfterAll
    void stop() {
        gateway.close();
        upstream.close();
    }

    @Test
    void plainRulesLimitWhatRoutesPassOn() {
        upstream.hits();

        assertThat(gateway.statuses(3, "/plain/a", "X-Tenant", "a")).containsExactly(200, 200, 429);
        assertThat(gateway.statuses(1, "/plain/a", "X-Tenant", "b")).containsExactly(200);
        assertThat(upstream.hits()).isEqualTo(3);
    }

    @Test
    void aDenialIsTheWholeAnswerAndDoesNotReachTheService() {
        HttpResponse<String> first = gateway.get("/own/a", "X-Tenant", "answer");
        gateway.get("/own/a", "X-Tenant", "answer");
        upstream.hits();
        HttpResponse<String> denial = gateway.get("/own/a", "X-Tenant", "answer");

        assertThat(first.statusCode()).isEqualTo(200);
        assertThat(first.body()).isEqualTo("/own/a");
        assertThat(first.headers().allValues("RateLimit-Policy")).containsExactly("\"route own\";q=2;w=3600");
        assertThat(first.headers().firstValue("RateLimit").orElse("")).startsWith("\"route own\";r=1;t=");
        assertThat(first.headers().allValues("X-RateLimit-Remaining")).containsExactly("1");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.headers().firstValueAsLong("Retry-After").orElse(0)).isBetween(1L, 1800L);
        assertThat(denial.headers().allValues("Content-Type")).containsExactly("application/problem+json");
        assertThat(denial.headers().allValues("X-RateLimit-Remaining")).containsExactly("0");
        assertThat(denial.body()).contains("\"violated-policies\"", "route own");
        assertThat(upstream.hits()).isZero();
    }

    /** Known bug C10. */
    @Test
    void eachRouteHasItsOwnBudget() {
        assertThat(gateway.statuses(3, "/own/a", "X-Tenant", "own")).containsExactly(200, 200, 429);
        assertThat(gateway.statuses(3, "/other/a", "X-Tenant", "own")).containsExactly(200, 200, 429);
    }

    @Test
    void routesShareABudgetByName() {
        assertThat(gateway.statuses(1, "/shared-1/a", "X-API-Key", "k")).containsExactly(200);
        assertThat(gateway.statuses(2, "/shared-2/a", "X-API-Key", "k")).containsExactly(200, 429);
        HttpResponse<String> denial = gateway.get("/shared-1/a", "X-API-Key", "k");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.body()).contains("routes checkout");
    }

    @Test
    void aForwardToARouteOfTheSameBudgetIsChargedOnce() {
        assertThat(gateway.statuses(3, "/forward/a", "X-API-Key", "forward")).containsExactly(200, 200, 429);
    }

    @Test
    void takesLimitSubjectAndBudgetOfARule() {
        assertThat(gateway.statuses(3, "/rule/a", "X-API-Key", "k")).containsExactly(200, 200, 429);
        assertThat(gateway.get("/rule/a", "X-API-Key", "k").body()).contains("\"partners\"");
    }

    @Test
    void aRequestOfARuleAndAFilterIsChargedByBothAndHasOneSetOfHeaders() {
        HttpResponse<String> first = gateway.get("/both/a", "X-Tenant", "both");
        assertThat(first.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"both\";q=2;w=3600, \"route both\";q=3;w=3600");
        assertThat(first.headers().allValues("X-RateLimit-Remaining")).containsExactly("1");

        assertThat(gateway.statuses(2, "/both/a", "X-Tenant", "both")).containsExactly(200, 429);
        HttpResponse<String> denial = gateway.get("/both/a", "X-Tenant", "both");
        assertThat(denial.headers().allValues("RateLimit-Policy")).containsExactly("\"both\";q=2;w=3600");
    }

    @Test
    void aRuleThatMatchesAndIsNamedChargesOnce() {
        assertThat(gateway.statuses(3, "/once/a")).containsExactly(200, 200, 429);
    }

    /** Known bug C6. */
    @Test
    void twoFiltersOfARouteBothLimitAndAreBothReported() {
        HttpResponse<String> first = gateway.get("/two/a", "X-Tenant", "1");
        assertThat(first.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"route two\";q=3;w=3600, \"routes ceiling\";q=2;w=3600");
        assertThat(gateway.statuses(2, "/two/a", "X-Tenant", "2")).containsExactly(200, 429);
    }

    @Test
    void believesNoAddressThatAClientMakesUp() {
        assertThat(gateway.get("/address/a", "X-Forwarded-For", "203.0.113.1").statusCode())
                .isEqualTo(200);
        assertThat(gateway.get("/address/a", "X-Forwarded-For", "203.0.113.2").statusCode())
                .isEqualTo(200);
        assertThat(gateway.get("/address/a", "X-Forwarded-For", "203.0.113.3").statusCode())
                .isEqualTo(429);
        assertThat(gateway.get("/address/a", "Forwarded", "for=203.0.113.4").statusCode())
                .isEqualTo(429);
    }

    /** Known bug C8. */
    @Test
    void noTextOfAClientMeansNoKey() {
        assertThat(gateway.statuses(3, "/own/a", "X-Tenant", "____EMPTY_KEY__")).containsExactly(200, 200, 429);
    }

    /** Known bug A10. */
    @Test
    void aRequestThatIsSentAgainIsChargedOnce() {
        for (String path : List.of("/broken/behind/a", "/broken/before/a")) {
            upstream.hits();
            HttpResponse<String> failed = gateway.get(path);

            assertThat(failed.statusCode()).isEqualTo(500);
            assertThat(upstream.hits()).as("attempts").isGreaterThan(1);
            assertThat(failed.headers().allValues("X-RateLimit-Remaining")).containsExactly("2");
        }
    }

    @Test
    void seesTheHeadersThatEarlierFiltersHaveSet() {
        assertThat(gateway.get("/set/a", "X-Tenant", "1").statusCode()).isEqualTo(200);
        assertThat(gateway.get("/set/a", "X-Tenant", "2").statusCode()).isEqualTo(200);
        assertThat(gateway.get("/set/a", "X-Tenant", "3").statusCode()).isEqualTo(429);
    }

    @Test
    void aRuleThatIsOffLimitsNothing() {
        assertThat(gateway.statuses(3, "/off/a")).containsExactly(200, 200, 200);
    }

    @Test
    void theIdOfARouteCanBeAnyText() {
        assertThat(gateway.statuses(2, "/odd/a")).containsExactly(200, 429);
        assertThat(gateway.get("/odd/a")
                        .headers()
                        .firstValue("RateLimit-Policy")
                        .orElse(""))
                .startsWith("\"route-sha256 ");
    }
}
