package io.headgate.http.response;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.http.Seeds;
import io.headgate.http.Verdict;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.Parser;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** MISSION A6, C4: the answer over HTTP. */
class StandardAnswersTest {

    private final ManualTime time =
            new ManualTime(Instant.ofEpochSecond(1_000_000_000L).plusMillis(200));
    private final Headgate headgate = Headgate.builder().timeSource(time).build();
    private final StandardAnswers answers = new StandardAnswers(time);
    private final String api = "api";

    @Test
    void tellsWhatRemains() {
        RateLimiter limiter = limiter("100/min");
        limiter.tryAcquire("alice", 57);

        assertThat(headers(Verdict.of(api, limiter.tryAcquire("alice"))))
                .containsExactly(
                        Map.entry("RateLimit-Policy", "\"api\";q=100;w=60"),
                        Map.entry("RateLimit", "\"api\";r=42;t=1"),
                        Map.entry("X-RateLimit-Limit", "100"),
                        Map.entry("X-RateLimit-Remaining", "42"),
                        Map.entry("X-RateLimit-Reset", "1000000035"));
    }

    /** Known bugs H9, R03: whole seconds, rounded up, and the same in both headers. */
    @Test
    void tellsHowLongToWait() {
        RateLimiter limiter = limiter("3/min");
        limiter.tryAcquire("alice", 3);
        time.advance(Duration.ofMillis(2_500));

        assertThat(headers(Verdict.of(api, limiter.tryAcquire("alice"))))
                .containsExactly(
                        Map.entry("Retry-After", "18"),
                        Map.entry("RateLimit-Policy", "\"api\";q=3;w=60"),
                        Map.entry("RateLimit", "\"api\";r=0;t=18"),
                        Map.entry("X-RateLimit-Limit", "3"),
                        Map.entry("X-RateLimit-Remaining", "0"),
                        Map.entry("X-RateLimit-Reset", "1000000061"));
        time.advance(Duration.ofSeconds(18));
        assertThat(limiter.tryAcquire("alice").allowed()).isTrue();
    }

    @Test
    void waitsAtLeastASecond() {
        RateLimiter limiter = limiter("10 per 10ms");
        limiter.tryAcquire("alice", 10);

        assertThat(headers(Verdict.of(api, limiter.tryAcquire("alice"))))
                .containsEntry("Retry-After", "1")
                .containsEntry("RateLimit", "\"api\";r=0;t=1")
                .containsEntry("RateLimit-Policy", "\"api\";q=10;w=1");
    }

    /** Known bug C6: several limits are several items. */
    @Test
    void listsEveryLimitOfAPlan() {
        RateLimiter limiter = headgate.limiter(
                "login", Plan.of(Limit.parse("2/min"), Limit.parse("20/h").named("hourly")));
        String login = "login";

        assertThat(headers(Verdict.of(login, limiter.tryAcquire("alice"))))
                .containsEntry("RateLimit-Policy", "\"login:2/min\";q=2;w=60, \"login:hourly\";q=20;w=3600")
                .containsEntry("RateLimit", "\"login:2/min\";r=1;t=30, \"login:hourly\";r=19;t=180")
                .containsEntry("X-RateLimit-Limit", "2");
        limiter.tryAcquire("alice");
        Verdict denial = Verdict.of(login, limiter.tryAcquire("alice"));
        assertThat(headers(denial)).containsEntry("RateLimit", "\"login:2/min\";r=0;t=30, \"login:hourly\";r=18;t=180");
        assertThat(answers.body(denial)).contains("\"violated-policies\":[\"login:2/min\"]");
    }

    /** The limit is the most that can remain, and the policy says how long so many permits take to come back: the same rate. */
    @ParameterizedTest
    @CsvSource({
        "10/min burst 20, 20, 120",
        "100/min burst 20, 20, 12",
        "100/s burst 20, 20, 1",
        "3/min burst 10, 10, 200",
        "1/366days burst 2147483647, 2147483647, 999999999999999" // the largest integer of RFC 9651
    })
    void countsLimitAndRemainingOnTheScaleOfTheBurst(String text, long most, long seconds) {
        assertThat(headers(Verdict.of(api, limiter(text).tryAcquire("alice", 4))))
                .containsEntry("RateLimit-Policy", "\"api\";q=" + most + ";w=" + seconds)
                .containsEntry("X-RateLimit-Limit", Long.toString(most))
                .containsEntry("X-RateLimit-Remaining", Long.toString(most - 4));
    }

    /** Whatever the algorithm, the numbers, the cost and the time, no header reports more remaining than the limit it names. */
    @Test
    void neverReportsMoreThanTheLimit() {
        Random random = Seeds.random(getClass());
        List<String> algorithms = List.of(
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window-log",
                "sliding-window",
                "sliding-window-counter");
        for (int round = 0; round < Seeds.rounds(2_000); round++) {
            Plan plan = random.nextInt(3) > 0
                    ? Plan.of(limit(algorithms.get(round % algorithms.size()), random))
                    : Plan.of(limit("token-bucket", random), limit("fixed-window", random));
            RateLimiter limiter = headgate.limiter("scale" + round, plan);
            for (int step = 0; step < 10; step++) {
                Map<String, String> headers = headers(Verdict.of(
                        api, limiter.tryAcquire("alice", 1 + random.nextInt(random.nextBoolean() ? 3 : 50))));
                assertThat(Long.parseLong(headers.get("X-RateLimit-Remaining")))
                        .as(plan + " " + headers)
                        .isBetween(0L, Long.parseLong(headers.get("X-RateLimit-Limit")));
                List<ListElement<?>> policies =
                        Parser.parseList(headers.get("RateLimit-Policy")).get();
                List<ListElement<?>> standings =
                        Parser.parseList(headers.get("RateLimit")).get();
                for (int i = 0; i < policies.size(); i++) {
                    assertThat((Long) standings.get(i).getParams().get("r").get())
                            .as(plan + " " + headers)
                            .isBetween(0L, (Long)
                                    policies.get(i).getParams().get("q").get());
                }
                time.advance(Duration.ofMillis(random.nextInt(40_000)));
            }
        }
    }

    private static Limit limit(String algorithm, Random random) {
        long permits = random.nextInt(10) == 0 ? 0 : 1 + random.nextInt(random.nextBoolean() ? 5 : 200);
        Limit limit = Limit.of(permits)
                .per(Duration.ofMillis(1 + random.nextInt(100_000)))
                .using(algorithm);
        return permits > 0 && algorithm.equals("token-bucket") ? limit.burst(1 + random.nextInt(300)) : limit;
    }

    /** A denial names the limit with the longest wait, so what remains is told of that limit and not of another. */
    @Test
    void tellsTheRestOfTheLimitItNames() {
        RateLimiter limiter =
                headgate.limiter("two", Plan.of(Limit.parse("10/s").named("spikes"), Limit.parse("100/h")));
        for (long cost : new long[] {9, 10, 10, 10, 10, 10, 10, 10, 10}) {
            limiter.tryAcquire("alice", cost);
            time.advance(Duration.ofSeconds(1));
        }
        limiter.tryAcquire("alice", 8);

        assertThat(headers(Verdict.of(api, limiter.tryAcquire("alice", 10))))
                .containsEntry("RateLimit", "\"api:spikes\";r=2;t=1, \"api:100/h\";r=3;t=243")
                .containsEntry("X-RateLimit-Limit", "100")
                .containsEntry("X-RateLimit-Remaining", "3");
    }

    @Test
    void doesNotSayHowLongADayIs() {
        RateLimiter limiter = limiter("1000 per calendar-day Europe/Berlin");

        assertThat(headers(Verdict.of(api, limiter.tryAcquire("alice"))))
                .containsEntry("RateLimit-Policy", "\"api\";q=1000");
    }

    /** {@code t} is when more is there: three of six were asked for, at 40, 45 and 50 seconds (and a fifth) past the minute. */
    @ParameterizedTest
    @CsvSource({
        "token-bucket, 4, 10", // one came back just now, the next will in ten seconds
        "leaky-bucket, 0, 10", // it is busy for so long with the third; the second was denied
        "fixed-window, 3, 10", // the minute is over
        "sliding-window-log, 3, 50", // the first is a minute old
        "sliding-window, 3, 52", // the tenth of a minute from 36 on, and ten more, are over
        "sliding-window-counter, 3, 30" // a third of the next minute is over, and of the three
    })
    void tellsWhenMoreIsThere(String algorithm, long remaining, long seconds) {
        RateLimiter limiter =
                headgate.limiter(algorithm, Plan.of(Limit.parse("6/min").using(algorithm)));
        limiter.tryAcquire("alice");
        time.advance(Duration.ofSeconds(5));
        limiter.tryAcquire("alice");
        time.advance(Duration.ofSeconds(5));
        Verdict last = Verdict.of(api, limiter.tryAcquire("alice"));

        assertThat(headers(last)).containsEntry("RateLimit", "\"api\";r=" + remaining + ";t=" + seconds);
        time.advance(Duration.ofSeconds(seconds - 1));
        assertThat(limiter.peek("alice").remaining()).isEqualTo(remaining);
        time.advance(Duration.ofSeconds(1));
        assertThat(limiter.peek("alice").remaining()).isGreaterThan(remaining);
    }

    /** Known bug C4: nothing to wait for. */
    @Test
    void neverInvitesAnImpossibleRequest() {
        Verdict denial = Verdict.of(api, limiter("10/min").tryAcquire("alice", 11));

        assertThat(answers.status(denial)).isEqualTo(429);
        assertThat(headers(denial))
                .doesNotContainKey("Retry-After")
                .containsEntry("RateLimit-Policy", "\"api\";q=10;w=60")
                .containsEntry("RateLimit", "\"api\";r=10");
        assertThat(answers.body(denial))
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
                        + "\"status\":429,\"detail\":\"Rate limit 'api' never allows this request.\","
                        + "\"violated-policies\":[\"api\"],\"error\":\"Too Many Requests\","
                        + "\"message\":\"Rate limit 'api' never allows this request.\"}");
    }

    /** Known bugs H10, R10: only a failing store is the server's fault, and nothing is known of the quota then. */
    @Test
    void answersAFailedStoreWithoutQuotas() {
        Verdict denial = Verdict.of(
                api,
                new Decision.Unavailable(Limit.parse("10/min"), Duration.ofMillis(1_001), new StoreException("down")));

        assertThat(answers.status(denial)).isEqualTo(503);
        assertThat(headers(denial)).containsExactly(Map.entry("Retry-After", "2"));
        assertThat(answers.body(denial))
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#temporary-reduced-capacity\","
                        + "\"title\":\"Request cannot be satisfied due to temporary server capacity constraints\","
                        + "\"status\":503,\"detail\":\"Rate limit 'api' cannot be checked right now. Try again in 2 seconds.\","
                        + "\"error\":\"Service Unavailable\","
                        + "\"message\":\"Rate limit 'api' cannot be checked right now. Try again in 2 seconds.\","
                        + "\"retryAfter\":2}")
                .doesNotContain("down");
    }

    /** Known bug R10: what was decided without the store says nothing of quotas; a denial still says when to come back. */
    @Test
    void tellsNoQuotaThatOnlyTheStoreKnows() {
        RateLimiter limiter = limiter("1/min");
        Decision granted = limiter.tryAcquire("alice");
        Decision denied = limiter.tryAcquire("alice");

        assertThat(headers(Verdict.of(api, granted))).hasSize(5);
        assertThat(headers(Verdict.of(api, granted.asDegraded()))).isEmpty();
        assertThat(headers(Verdict.of(api, denied.asDegraded()))).containsExactly(Map.entry("Retry-After", "60"));
        assertThat(answers.status(Verdict.of(api, denied.asDegraded()))).isEqualTo(429);
    }

    /** Known bugs H11, R06. */
    @Test
    void describesTheProblem() {
        RateLimiter limiter = limiter("3/min");
        limiter.tryAcquire("alice", 3);
        Verdict denial = Verdict.of(api, limiter.tryAcquire("alice"));

        assertThat(answers.status(denial)).isEqualTo(429);
        assertThat(answers.contentType()).isEqualTo("application/problem+json");
        assertThat(answers.body(denial))
                .isEqualTo("{\"type\":\"https://iana.org/assignments/http-problem-types#quota-exceeded\","
                        + "\"title\":\"Request cannot be satisfied as assigned quota has been exceeded\","
                        + "\"status\":429,\"detail\":\"Rate limit 'api' exceeded. Try again in 20 seconds.\","
                        + "\"violated-policies\":[\"api\"],\"error\":\"Too Many Requests\","
                        + "\"message\":\"Rate limit 'api' exceeded. Try again in 20 seconds.\",\"retryAfter\":20}");
    }

    @Test
    void saysNothingOfRequestsThatNothingLimits() {
        assertThat(headers(Verdict.PASS)).isEmpty();
        assertThatIllegalArgumentException().isThrownBy(() -> answers.body(Verdict.PASS));
        assertThatIllegalArgumentException().isThrownBy(() -> answers.status(Verdict.PASS));
    }

    @ParameterizedTest
    @EnumSource
    void sendsOnlyTheFamiliesThatAreOn(HeaderFamily family) {
        RateLimiter limiter = limiter("3/min");
        limiter.tryAcquire("alice", 3);
        Map<String, String> headers = new LinkedHashMap<>();
        new StandardAnswers(time, EnumSet.of(family))
                .headers(Verdict.of(api, limiter.tryAcquire("alice")), headers::put);

        assertThat(headers.keySet())
                .containsExactlyElementsOf(
                        switch (family) {
                            case RATE_LIMIT -> List.of("RateLimit-Policy", "RateLimit");
                            case X_RATE_LIMIT ->
                                List.of("X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset");
                            case RETRY_AFTER -> List.of("Retry-After");
                        });
    }

    /** Known bug R01: an independent parser understands every value we can write. */
    @Test
    void writesStructuredFields() {
        Random random = Seeds.random(getClass());
        String[] names = {
            "plain", "with blank", "quo\"te", "back\\slash", "n\u00e4me", "\r\nX-Evil: 1", "caf\uD83D\uDE00"
        };
        String[] windows = {"ms", "7ms", "s", "min", "h", "366days"};
        for (int round = 0; round < Seeds.rounds(2_000); round++) {
            String name = names[random.nextInt(names.length)];
            long permits = 1L + (random.nextBoolean() ? random.nextInt(100) : random.nextInt(Integer.MAX_VALUE - 1));
            Limit one = Limit.parse(permits + "/" + windows[random.nextInt(windows.length)]);
            Limit other = Limit.parse(1 + random.nextInt(10) + "/min").named(names[random.nextInt(names.length)]);
            RateLimiter limiter =
                    headgate.limiter("r" + round, random.nextBoolean() ? Plan.of(one) : Plan.of(one, other));
            Decision decision = limiter.tryAcquire("alice", 1 + random.nextInt(12));
            Map<String, String> headers = headers(Verdict.of(name, decision));

            List<ListElement<?>> policies =
                    Parser.parseList(headers.get("RateLimit-Policy")).get();
            List<ListElement<?>> standings =
                    Parser.parseList(headers.get("RateLimit")).get();
            assertThat(policies).hasSameSizeAs(limiter.plan().limits());
            for (int i = 0; i < policies.size(); i++) {
                assertThat(policies.get(i).get())
                        .isInstanceOf(String.class)
                        .isEqualTo(standings.get(i).get());
                assertThat(policies.get(i).getParams().get("q").get())
                        .isEqualTo(limiter.plan().limits().get(i).permits());
                assertThat((Long) policies.get(i).getParams().get("w").get()).isPositive();
                assertThat(standings.get(i).getParams().get("r").get())
                        .isEqualTo(decision.standings().get(i).remaining());
            }
            assertThat(headers.values()).allMatch(value -> value.chars().allMatch(c -> c >= ' ' && c <= '~'));
        }
    }

    /** Known bugs R02, K05: whoever was limited is not in the answer. */
    @Test
    void repeatsNothingAClientSent() {
        RateLimiter limiter = limiter("1/min");
        String secret = "s3cr3t\r\nSet-Cookie: x";
        limiter.tryAcquire(secret);
        Verdict denial = Verdict.of(api, limiter.tryAcquire(secret));

        assertThat(headers(denial).toString() + answers.body(denial)).doesNotContain("s3cr3t", "Cookie");
    }

    @Test
    void escapesWhatJsonMustHaveEscaped() {
        assertThat(new Json()
                        .member("a\"", "b\\\n\u0000</script>\u2028\u00e4\uD83D")
                        .member("n", -1)
                        .member("l", List.of("x", "\""))
                        .end())
                .isEqualTo("{\"a\\\"\":\"b\\\\\\u000a\\u0000\\u003c/script\\u003e\\u2028\\u00e4\\ud83d\",\"n\":-1,"
                        + "\"l\":[\"x\",\"\\\"\"]}");
    }

    private RateLimiter limiter(String limit) {
        return headgate.limiter("api", Plan.parse(limit));
    }

    private Map<String, String> headers(Verdict verdict) {
        Map<String, String> headers = new LinkedHashMap<>();
        answers.headers(verdict, headers::put);
        return headers;
    }
}
