package io.headgate.spring.cloud.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.guard.GuardSettings;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.response.HeaderFamily;
import io.headgate.http.response.StandardAnswers;
import io.headgate.redis.RedisStore;
import io.headgate.rig.RedisServer;
import io.headgate.spring.webflux.ExchangeGate;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter.Response;

/** The sequences of the gateway's own tests of its limiter, exactly: on a clock that stands still, and on Redis by the clock of Redis. */
class HeadgateRateLimiterTest {

    private static final RedisRateLimiterHeaders NAMES = new RedisRateLimiterHeaders(
            true,
            "X-RateLimit-Remaining",
            "X-RateLimit-Replenish-Rate",
            "X-RateLimit-Burst-Capacity",
            "X-RateLimit-Requested-Tokens");

    private static RedisServer redis;
    private static RedisStore store;

    private final ManualTime time = new ManualTime();
    private final HeadgateRateLimiter limiter =
            limiter(Headgate.builder().timeSource(time).build(), NAMES);

    @BeforeAll
    static void startRedis() {
        redis = RedisServer.start();
        store = RedisStore.connect(redis.uri());
    }

    @AfterAll
    static void stopRedis() {
        store.close();
        redis.close();
    }

    private static HeadgateRateLimiter limiter(Headgate headgate, RedisRateLimiterHeaders names) {
        StandardAnswers answers =
                new StandardAnswers(io.headgate.TimeSource.system(), EnumSet.allOf(HeaderFamily.class));
        return new HeadgateRateLimiter(
                new ExchangeGate(new Gate(), answers),
                answers,
                LedgerFactory.of(headgate),
                FailurePolicy.CLOSED,
                "token-bucket",
                names);
    }

    private static HeadgateRateLimiter onRedis() {
        GuardSettings patient = GuardSettings.DEFAULT.deadline(Duration.ofSeconds(20)); // the machine may be busy
        return limiter(Headgate.builder().store(store).guard(patient).build(), NAMES);
    }

    private static HeadgateRateLimiter.Config config(int replenishRate, long burstCapacity, int requestedTokens) {
        return new HeadgateRateLimiter.Config()
                .setReplenishRate(replenishRate)
                .setBurstCapacity(burstCapacity)
                .setRequestedTokens(requestedTokens);
    }

    private static Response ask(HeadgateRateLimiter limiter, String route, String key) {
        return limiter.isAllowed(route, key).blockOptional().orElseThrow();
    }

    private int allowed(int requests, String route) {
        int allowed = 0;
        for (int i = 0; i < requests; i++) {
            allowed += ask(limiter, route, "k").isAllowed() ? 1 : 0;
        }
        return allowed;
    }

    @ParameterizedTest
    @CsvSource({"10, 20, 1", "1, 3, 3", "1, 1, 1", "5, 5, 1", "3, 10, 2", "2, 1, 1"})
    void theBurstThenTheSteadyStateExactly(int rate, int burst, int tokens) {
        limiter.getConfig().put("r", config(rate, burst, tokens));

        assertThat(allowed(burst / tokens + 1, "r")).isEqualTo(burst / tokens);
        int left = burst % tokens;
        for (int second = 0; second < 10; second++) {
            int seconds = Math.max(1, tokens / rate);
            time.advance(Duration.ofSeconds(seconds));
            int filled = Math.min(burst, left + rate * seconds);

            assertThat(allowed(filled / tokens + 1, "r")).isEqualTo(filled / tokens);
            left = filled % tokens;
        }
    }

    @Test
    void aPermitReturnsWhenItIsDueAndNotAMicrosecondEarlier() {
        limiter.getConfig().put("r", config(10, 20, 1));
        allowed(20, "r");

        time.advance(Duration.ofNanos(99_999_000));
        assertThat(allowed(1, "r")).isZero();
        time.advance(Duration.ofNanos(1_000));
        assertThat(allowed(2, "r")).isEqualTo(1);
    }

    @Test
    void noBurstDeniesEverything() {
        limiter.getConfig().put("r", config(1, 0, 1));

        for (int i = 0; i < 3; i++) {
            Response denial = ask(limiter, "r", "k");
            assertThat(denial.isAllowed()).isFalse();
            assertThat(denial.getHeaders())
                    .containsEntry("X-RateLimit-Remaining", "0")
                    .containsEntry("X-RateLimit-Burst-Capacity", "0")
                    .doesNotContainKey("Retry-After");
            time.advance(Duration.ofHours(1));
        }
    }

    @Test
    void theHeadersAreThoseOfTheGatewayAndADenialSaysHowLongToWait() {
        limiter.getConfig().put("r", config(1, 4, 3));

        assertThat(ask(limiter, "r", "k").getHeaders())
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "X-RateLimit-Remaining", "1",
                        "X-RateLimit-Replenish-Rate", "1",
                        "X-RateLimit-Burst-Capacity", "4",
                        "X-RateLimit-Requested-Tokens", "3"));
        assertThat(ask(limiter, "r", "k").getHeaders())
                .containsEntry("X-RateLimit-Remaining", "1")
                .containsEntry("Retry-After", "2")
                .hasSize(5);
    }

    @Test
    void sendsNoHeadersIfToldSo() {
        HeadgateRateLimiter silent = limiter(
                Headgate.builder().timeSource(time).build(), new RedisRateLimiterHeaders(false, "a", "b", "c", "d"));
        silent.getConfig().put("r", config(1, 1, 1));

        assertThat(ask(silent, "r", "k").getHeaders()).isEmpty();
    }

    @Test
    void limitsOfOursHoldTogether() {
        limiter.getConfig().put("r", new HeadgateRateLimiter.Config().setLimits(List.of("2/s", "3/h")));

        assertThat(allowed(3, "r")).isEqualTo(2);
        time.advance(Duration.ofSeconds(1));
        assertThat(allowed(3, "r")).isEqualTo(1);
        assertThat(ask(limiter, "r", "other").getHeaders()).doesNotContainKey("X-RateLimit-Replenish-Rate");
    }

    /** Known bugs C9 and C10. */
    @Test
    void routesAndKeysNeverShareABudget() {
        limiter.getConfig().put("a.b", config(1, 1, 1));
        limiter.getConfig().put("a", config(1, 1, 1));

        assertThat(ask(limiter, "a.b", "c").isAllowed()).isTrue();
        assertThat(ask(limiter, "a", "b.c").isAllowed()).isTrue();
        assertThat(ask(limiter, "a.b", "b.c").isAllowed()).isTrue();
        assertThat(ask(limiter, "a", "b.c").isAllowed()).isFalse();
    }

    @Test
    void aRequestWithABlankKeyIsDenied() {
        limiter.getConfig().put("r", config(1, 1, 1));

        assertThat(ask(limiter, "r", " ").isAllowed()).isFalse();
    }

    /** Known bug C11. */
    @Test
    void invalidArgumentsLeaveTheLimitThatARouteHad() {
        limiter.onApplicationEvent(
                event("redis-rate-limiter.replenish-rate", "1", "redis-rate-limiter.burstCapacity", "2"));
        assertThat(allowed(3, "r")).isEqualTo(2);

        assertThatThrownBy(() -> limiter.onApplicationEvent(event("redis-rate-limiter.replenishRate", "0")))
                .hasMessageContaining("at least 1");
        assertThat(allowed(1, "r")).isZero();
        limiter.onApplicationEvent(event("headgate.limits", "5/s, 9/h"));
        assertThat(limiter.getConfig().get("r").getLimits()).containsExactly("5/s", "9/h");
    }

    private static FilterArgsEvent event(Object... args) {
        Map<String, Object> map = new java.util.HashMap<>();
        for (int i = 0; i < args.length; i += 2) {
            map.put((String) args[i], args[i + 1]);
        }
        return new FilterArgsEvent(new Object(), "r", map);
    }

    @Test
    void aRouteWithoutALimitFails() {
        assertThatThrownBy(() -> ask(limiter, "unknown", "k")).hasMessageContaining("route 'unknown' has no limit");
    }

    @Test
    void theLimitOfDefaultFiltersIsThatOfRoutesWithoutOne() {
        limiter.getConfig().put("defaultFilters", config(1, 1, 1));

        assertThat(ask(limiter, "any", "k").isAllowed()).isTrue();
        assertThat(ask(limiter, "any", "k").isAllowed()).isFalse();
        assertThat(ask(limiter, "other", "k").isAllowed()).isTrue();
    }

    /** What a bucket by the clock of Redis must and may grant, request by request: nothing is tolerated. */
    @ParameterizedTest
    @CsvSource({"10, 20, 1", "1, 3, 3", "100, 200, 1", "7, 10, 2"})
    void theSameSequencesOnRedis(int rate, int burst, int tokens) {
        HeadgateRateLimiter shared = onRedis();
        String route = "redis-" + rate + "-" + burst + "-" + tokens;
        shared.getConfig().put(route, config(rate, burst, tokens));
        List<Asked> asked = new ArrayList<>();

        for (int i = 0; i < burst / tokens + 1; i++) {
            asked.add(timed(shared, route));
        }
        assertThat(asked.subList(0, burst / tokens)).allMatch(Asked::allowed);
        awaitRedisClock(now() + Math.max(1, tokens / rate) * 1_000_000L);
        for (int i = 0; i < rate / tokens + 1; i++) {
            asked.add(timed(shared, route));
        }

        asked.forEach(each -> assertThat(each.allowed || each.denied).isTrue());
        assertThat(violations(asked, rate, burst, tokens)).isEmpty();
        assertThat(asked.subList(burst / tokens + 1, burst / tokens + 1 + Math.max(1, rate / tokens)))
                .as("the steady state")
                .allMatch(Asked::allowed);
    }

    @Test
    void noBurstDeniesEverythingOnRedis() {
        HeadgateRateLimiter shared = onRedis();
        shared.getConfig().put("nothing", config(1, 0, 1));

        assertThat(ask(shared, "nothing", "k").isAllowed()).isFalse();
    }

    /** A request that Redis decided at some time between the two. */
    private record Asked(long before, long after, boolean allowed, boolean denied) {}

    private static Asked timed(HeadgateRateLimiter limiter, String route) {
        long before = now();
        boolean allowed = ask(limiter, route, "k").isAllowed();
        return new Asked(before, now(), allowed, !allowed);
    }

    /** Two buckets bound the true one: one in which as little time as possible passed, one in which as much as possible did. */
    private static List<String> violations(List<Asked> asked, int rate, int burst, int tokens) {
        List<String> violations = new ArrayList<>();
        double most = burst;
        double least = burst;
        Asked last = asked.get(0);
        for (Asked each : asked) {
            most = Math.min(burst, most + rate * (each.after - last.before) / 1e6);
            least = Math.min(burst, least + rate * Math.max(0, each.before - last.after) / 1e6);
            if (each.allowed && most < tokens) {
                violations.add("allowed with at most " + most + " permits: " + each);
            }
            if (each.denied && least >= tokens) {
                violations.add("denied with at least " + least + " permits: " + each);
            }
            if (each.allowed) {
                most -= tokens;
                least = Math.max(0, least - tokens);
            } else {
                most = Math.min(most, tokens);
            }
            last = each;
        }
        return violations;
    }

    /** The clock of Redis in microseconds. */
    private static long now() {
        List<?> now = (List<?>) java.util.Objects.requireNonNull(redis.command("TIME"));
        return Long.parseLong(String.valueOf(now.get(0))) * 1_000_000 + Long.parseLong(String.valueOf(now.get(1)));
    }

    private static void awaitRedisClock(long until) {
        while (now() < until) {
            Thread.onSpinWait();
        }
    }
}
