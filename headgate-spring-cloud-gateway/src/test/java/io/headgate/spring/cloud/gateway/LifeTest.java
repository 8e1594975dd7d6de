package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import io.headgate.spring.RuleStore;
import io.headgate.spring.cloud.gateway.Gateway.Kind;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Gateways without Headgate, without rules, without Redis. */
class LifeTest {

    private final Upstream upstream = new Upstream();

    @AfterEach
    void stop() {
        upstream.close();
    }

    private List<String> route(Kind kind, String filter, String... more) {
        List<String> properties = new ArrayList<>(Gateway.route(kind, 0, "own", upstream.uri(), "/**", filter));
        properties.addAll(List.of(more));
        return properties;
    }

    @ParameterizedTest
    @EnumSource
    void letsEverythingPassWhenHeadgateIsDisabled(Kind kind) {
        try (Gateway gateway = Gateway.start(kind, route(kind, "RateLimit=1/h", "headgate.enabled=false"))) {
            assertThat(gateway.statuses(3, "/a")).containsExactly(200, 200, 200);
        }
    }

    @ParameterizedTest
    @EnumSource
    void needsNoRules(Kind kind) {
        try (Gateway gateway = Gateway.start(kind, route(kind, "RateLimit=1/h"))) {
            assertThat(gateway.context().getBean(RuleStore.class).get().rules()).isEmpty();
            assertThat(gateway.statuses(2, "/a")).containsExactly(200, 429);
        }
    }

    @ParameterizedTest
    @EnumSource
    void thePolicyDecidesWhenRedisFails(Kind kind) {
        try (RedisServer redis = RedisServer.start()) {
            List<String> over = List.of("headgate.store=redis", "spring.data.redis.url=" + redis.uri());
            List<String> closed = route(kind, "RateLimit=5/h", "headgate.on-store-failure=closed");
            List<String> open = route(kind, "RateLimit=2/h", "headgate.on-store-failure=open");
            List<String> local =
                    route(kind, "RateLimit=2/h", "headgate.on-store-failure=local", "headgate.instances=1");
            List.of(closed, open, local).forEach(each -> each.addAll(over));
            redis.kill();

            assertAnswers(kind, closed, 503, 503, 503);
            assertAnswers(kind, open, 200, 200, 200);
            assertAnswers(kind, local, 200, 200, 429);
        }
    }

    private static void assertAnswers(Kind kind, List<String> properties, Integer... statuses) {
        try (Gateway gateway = Gateway.start(kind, properties)) {
            assertThat(gateway.statuses(statuses.length, "/a")).containsExactly(statuses);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTrustedProxySaysWhoIsLimited(Kind kind) {
        List<String> behindProxy = route(kind, "RateLimit=1/h", "headgate.trusted-proxies=127.0.0.0/8,::1/128");
        try (Gateway gateway = Gateway.start(kind, behindProxy)) {
            assertThat(gateway.get("/a", "X-Forwarded-For", "203.0.113.1").statusCode())
                    .isEqualTo(200);
            assertThat(gateway.get("/a", "X-Forwarded-For", "198.51.100.9, 203.0.113.1")
                            .statusCode())
                    .isEqualTo(429);
            assertThat(gateway.get("/a", "X-Forwarded-For", "203.0.113.2").statusCode())
                    .isEqualTo(200);
        }
    }

    /** The pattern of a route counts as the template of its path on MVC; on WebFlux there is none, so the address counts. */
    @ParameterizedTest
    @EnumSource
    void plainRulesByRoute(Kind kind) {
        List<String> byRoute = new ArrayList<>(Gateway.route(kind, 0, "a", upstream.uri(), "/a/**"));
        byRoute.addAll(Gateway.route(kind, 1, "b", upstream.uri(), "/b/**"));
        byRoute.addAll(List.of(
                "headgate.rules.all.path=/**", "headgate.rules.all.subject=route", "headgate.rules.all.limits=1/h"));
        try (Gateway gateway = Gateway.start(kind, byRoute)) {
            assertThat(gateway.statuses(2, "/a/1")).containsExactly(200, 429);
            assertThat(gateway.statuses(1, "/b/1")).containsExactly(kind == Kind.MVC ? 200 : 429);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aRequestWithoutItsSubjectIsLimitedByItsAddress(Kind kind) {
        try (Gateway gateway = Gateway.start(kind, route(kind, "RateLimit=1/h, api-key"))) {
            assertThat(gateway.statuses(2, "/a")).containsExactly(200, 429);
            assertThat(gateway.statuses(2, "/a", "X-API-Key", "k")).containsExactly(200, 429);
        }
    }

    @ParameterizedTest
    @EnumSource
    @ExtendWith(OutputCaptureExtension.class)
    void warnsOnlyOfRulesThatNoRouteNames(Kind kind, CapturedOutput log) {
        List<String> rules = route(
                kind, "RateLimit=named", "headgate.rules.named.limits=1/h", "headgate.rules.forgotten.limits=1/h");
        try (Gateway gateway = Gateway.start(kind, rules)) {
            assertThat(gateway.statuses(2, "/a")).containsExactly(200, 429);
        }
        assertThat(log).contains("rule 'forgotten' limits nothing").doesNotContain("rule 'named' limits nothing");
    }

    @Test
    void defaultFiltersGiveEachRouteItsOwnBudgetAndWithANameOneToAll() {
        for (boolean named : new boolean[] {false, true}) {
            List<String> routes = new ArrayList<>(Gateway.route(Kind.WEBFLUX, 0, "a", upstream.uri(), "/a/**"));
            routes.addAll(Gateway.route(Kind.WEBFLUX, 1, "b", upstream.uri(), "/b/**"));
            routes.add(Kind.WEBFLUX.prefix() + ".default-filters[0]=RateLimit=1/h, ip" + (named ? ", all" : ""));
            try (Gateway gateway = Gateway.start(Kind.WEBFLUX, routes)) {
                assertThat(gateway.statuses(2, "/a/1")).containsExactly(200, 429);
                HttpResponse<String> other = gateway.get("/b/1");
                assertThat(other.statusCode()).isEqualTo(named ? 429 : 200);
            }
        }
    }
}
