package io.headgate.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.RedisServer;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.greenbytes.http.sfv.IntegerItem;
import org.greenbytes.http.sfv.ListElement;
import org.greenbytes.http.sfv.OuterList;
import org.greenbytes.http.sfv.Parser;
import org.greenbytes.http.sfv.StringItem;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.web.cors.CorsConfiguration;

/** What holds for requests over sockets, whatever they arrive through and wherever the counts are kept. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public abstract class RequestContract {

    private static final String[] OURS = {
        "Retry-After",
        "RateLimit-Policy",
        "RateLimit",
        "X-RateLimit-Limit",
        "X-RateLimit-Remaining",
        "X-RateLimit-Reset"
    };

    private Running application;

    /**
     * An application with {@link Api}, in which strangers are sent away from {@code /early} and a source of its own opens
     * {@code /shared} and {@code /strange} to {@code http://elsewhere}.
     */
    protected abstract Running start(String... properties);

    /** Where the counts are kept. */
    protected String[] store() {
        return new String[] {"headgate.store=memory"};
    }

    /** In Redis, and nothing is decided without it because a machine was busy. */
    protected static String[] in(RedisServer redis) {
        return new String[] {
            "headgate.store=redis",
            "spring.data.redis.host=" + redis.host(),
            "spring.data.redis.port=" + redis.port(),
            "headgate.guard.deadline=20s",
            "headgate.redis.timeout=20s"
        };
    }

    @BeforeAll
    void startApplication() {
        application = start(new RuleLines()
                .rule("plain", "/plain/**")
                .rule("future", "/future")
                .rule("broken", "/broken")
                .rule("cors", "/cors")
                .rule("echo", "/echo")
                .rule("keyed", "/keyed")
                .rule("two-limits", "/two-limits", "limits=100/h,5/min burst 2")
                .rule("by-route", "/items/**", "subject=route")
                .rule("async", "/async/**")
                .rule("forward", "/forward")
                .rule("target", "/target")
                .rule("part", "/part")
                .rule("early", "/early", "stage=filter")
                .rule("shared", "/shared", "stage=filter")
                .rule("strange", "/strange", "stage=filter")
                .rule("both", "/both", "stage=filter")
                .rule("named", "/named", "stage=filter")
                .rule("sent", "/sent", "stage=filter")
                .rule("closed", "/closed", "limits=0/h")
                .rule("everything", "/**", "limits=1000/h", "match=all", "algorithm=sliding-window-log")
                .and(store()));
    }

    @AfterAll
    void stopApplication() {
        application.close();
    }

    protected Running application() {
        return application;
    }

    @Test
    void deniesWhatExceedsTheLimit() {
        assertThat(application.statuses(2, "/plain")).containsOnly(200);
        HttpResponse<String> denial = application.get("/plain");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.headers().firstValue("Retry-After").orElseThrow()).matches("1(7[5-9]\\d|800)");
        assertThat(denial.headers().firstValue("RateLimit-Policy")).contains("\"plain\";q=2;w=3600");
        assertThat(denial.headers().firstValue("RateLimit").orElseThrow()).startsWith("\"plain\";r=0;t=");
        assertThat(denial.headers().firstValue("X-RateLimit-Remaining")).contains("0");
        assertThat(denial.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(denial.body()).contains("quota-exceeded", "\"violated-policies\":[\"plain\"]", "\"retryAfter\":");
    }

    @Test
    void tellsWhatRemains() {
        HttpResponse<String> first = application.get("/keyed", "X-API-Key", "k");
        assertThat(first.headers().firstValue("RateLimit").orElseThrow()).contains("\"keyed\";r=1;");
        assertThat(first.headers().firstValue("X-RateLimit-Remaining")).contains("1");
    }

    /** Each header comes once, whoever decided last. */
    @Test
    void tellsOfBothStagesTogether() {
        HttpResponse<String> passed = application.get("/both");
        assertThat(passed.headers().allValues("RateLimit-Policy"))
                .containsExactly("\"both\";q=2;w=3600, \"everything\";q=1000;w=3600");
        assertThat(passed.headers().allValues("X-RateLimit-Remaining")).containsExactly("1");
    }

    /** Known bug R01: the parser is not ours. */
    @Test
    void sendsStructuredFields() {
        for (int i = 0; i < 3; i++) {
            HttpResponse<String> answer = application.get("/two-limits");
            List<String> policies = names(answer, "RateLimit-Policy", List.of("q", "w"));
            assertThat(policies).hasSize(answer.statusCode() == 200 ? 3 : 2);
            assertThat(names(answer, "RateLimit", List.of("r", "t"))).isEqualTo(policies);
            assertThat(answer.headers().firstValue("X-RateLimit-Reset").orElseThrow())
                    .matches("\\d{10}");
        }
        HttpResponse<String> denial = application.get("/two-limits");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(Parser.parseItem(denial.headers().firstValue("Retry-After").orElseThrow()))
                .isInstanceOf(IntegerItem.class);
    }

    /** The strings of the list; each has these parameters, which are whole numbers, and maybe others. */
    private static List<String> names(HttpResponse<String> answer, String header, List<String> numbers) {
        OuterList list = Parser.parseList(String.join(", ", answer.headers().allValues(header)));
        for (ListElement<?> element : list.get()) {
            for (String number : numbers) {
                assertThat(element.getParams().get(number))
                        .as("%s of %s", number, list.serialize())
                        .isInstanceOf(IntegerItem.class);
            }
        }
        return list.get().stream().map(element -> ((StringItem) element).get()).toList();
    }

    /** Known bugs A10, M05: an asynchronous handler is charged once. */
    @Test
    void chargesAsynchronousRequestsOnce() {
        assertThat(application.statuses(3, "/future")).containsExactly(200, 200, 429);
    }

    /** Known bugs A10, M06: so is one whose error is shown. */
    @Test
    void chargesFailingRequestsOnce() {
        long before = remaining();
        assertThat(application.statuses(3, "/broken")).containsExactly(500, 500, 429);
        assertThat(remaining()).isEqualTo(before - 2 - 1); // the denied one got its permit back; asking took one
    }

    /** Known bug A3: the limit of a handler denies, and the rules that were charged before get their permits back. */
    @Test
    void refundsTheRulesWhenTheHandlersOwnLimitDenies() {
        long before = remaining();
        assertThat(application.statuses(3, "/limited")).containsExactly(200, 200, 429);
        assertThat(application.get("/limited").headers().firstValue("RateLimit-Policy"))
                .contains("\"Api#limited\";q=2;w=3600");
        assertThat(remaining()).isEqualTo(before - 2 - 1);
    }

    /** Known bug H8: the template counts and not the path. */
    @Test
    void limitsByRoute() {
        assertThat(application.get("/items/1").statusCode()).isEqualTo(200);
        assertThat(application.get("/items/2").statusCode()).isEqualTo(200);
        assertThat(application.get("/items/3").statusCode()).isEqualTo(429);
        assertThat(application.get("/items/3/parts").statusCode()).isEqualTo(200);
    }

    /** What Spring answers to the preflight below. */
    protected int preflight() {
        return 200;
    }

    /** Known bugs M02, R04. */
    @Test
    void letsPreflightsPassAndDeniesReadably() {
        for (int i = 0; i < 5; i++) {
            assertThat(application
                            .send("OPTIONS", "/cors", "Origin", "http://page", "Access-Control-Request-Method", "GET")
                            .statusCode())
                    .isEqualTo(preflight());
        }
        assertThat(application.statuses(2, "/cors", "Origin", "http://page")).containsOnly(200);
        HttpResponse<String> denial = application.get("/cors", "Origin", "http://page");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.headers().allValues("Access-Control-Allow-Origin")).containsExactly("http://page");
        assertThat(exposed(denial)).containsExactly(OURS);
    }

    /** Known bug R04: to that end it says which headers of ours it carries, beside what the application shows anyway. */
    @Test
    void showsItsHeadersToPagesThatMayReadADenial() {
        String[] page = {"Origin", "http://page"};
        assertThat(exposed(application.get("/shown/ann", page))).containsExactly("X-Own");
        application.get("/shown/ann", page);
        assertThat(exposed(application.get("/shown/ann", page)))
                .startsWith("X-Own")
                .endsWith(OURS);
        assertThat(application.get("/shown/ann").headers().map()).doesNotContainKey("Access-Control-Expose-Headers");
    }

    private static List<String> exposed(HttpResponse<String> answer) {
        return answer.headers().allValues("Access-Control-Expose-Headers").stream()
                .flatMap(line -> Stream.of(line.split(", ", -1)))
                .toList();
    }

    /** Known bug M02: what only looks a bit like a preflight is charged. */
    @Test
    void chargesOtherOptions() {
        assertThat(application.send("OPTIONS", "/echo").statusCode()).isEqualTo(200);
        assertThat(application.send("OPTIONS", "/echo", "Origin", "http://page").statusCode())
                .isEqualTo(200);
        assertThat(application.send("OPTIONS", "/echo").statusCode()).isEqualTo(429);
    }

    /** Spring Security sends strangers away with a 401; the limit comes first, and pages can read it. */
    @Test
    void deniesBeforeSpringSecurity() {
        assertThat(application.statuses(2, "/early", "Origin", "http://page")).containsOnly(401);
        HttpResponse<String> denial = application.get("/early", "Origin", "http://page");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.headers().allValues("Access-Control-Allow-Origin")).containsExactly("http://page");
        assertThat(exposed(denial)).containsExactly(OURS);
    }

    /** The origins are not the handler's but configured for everybody, as Spring Security wants them. */
    @Test
    void deniesReadablyWhereASourceAllowsTheOrigin() {
        assertThat(application.statuses(2, "/shared", "Origin", "http://elsewhere"))
                .containsOnly(200);
        HttpResponse<String> denial = application.get("/shared", "Origin", "http://elsewhere");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.headers().allValues("Access-Control-Allow-Origin")).containsExactly("http://elsewhere");
        assertThat(exposed(denial)).containsExactly(OURS);
    }

    /** Neither an origin that nobody allows nor one that is none gets anything else than its denial. */
    @ParameterizedTest
    @ValueSource(strings = {"http://stranger", "http://[", "http://a b", "%"})
    void deniesOriginsThatNobodyAllows(String origin) {
        application.statuses(2, "/strange");
        HttpResponse<String> denial = application.get("/strange", "Origin", origin);
        assertThat(denial.statusCode()).isIn(403, 429);
        assertThat(denial.headers().map())
                .doesNotContainKeys("Access-Control-Allow-Origin", "Access-Control-Expose-Headers");
    }

    /** The argument is known only when the handler is called; the answer is the same. */
    @Test
    void limitsHandlersByTheirArguments() {
        assertThat(application.statuses(3, "/users/ann")).containsExactly(200, 200, 429);
        assertThat(application.get("/users/bob").body()).isEqualTo("bob");
        HttpResponse<String> denial = application.get("/users/ann");
        assertThat(denial.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(denial.headers().firstValue("Retry-After")).isPresent();
        assertThat(denial.headers().allValues("RateLimit-Policy")).containsExactly("\"Api#user\";q=2;w=3600");
    }

    /** Who has a handler for denials, and not only for whatever goes wrong, answers them. */
    @ParameterizedTest
    @ValueSource(strings = {"/own/controller", "/own/advice"})
    void leavesDenialsToWhoAsksForThem(String path) {
        HttpResponse<String> answer = application.get(path);
        assertThat(answer.statusCode()).isEqualTo(403);
        assertThat(answer.body()).isEqualTo("own");
    }

    /** By the filter already. */
    @Test
    void chargesARuleOnceThatAHandlerNamesToo() {
        assertThat(application.statuses(3, "/named")).containsExactly(200, 200, 429);
    }

    /** Known bug R05: what has begun to be sent is not answered a second time, and does not look complete. */
    @Test
    void breaksOffWhatIsDeniedHalfWay() {
        try (Wire wire = Wire.from("127.0.0.1", application.port())) {
            String sent = wire.write("GET /half HTTP/1.1\r\nHost: a\r\n\r\n").rest();
            assertThat(sent)
                    .startsWith("HTTP/1.1 200")
                    .contains("half of it")
                    .doesNotContain("quota-exceeded", "handled")
                    .doesNotContain("\r\n0\r\n");
        }
    }

    /** Static resources are looked for everywhere, so a handler is found for what leads nowhere; not so for a method. */
    @Test
    void chargesWhatLeadsNowhere() {
        long before = remaining();
        assertThat(application.get("/nowhere").statusCode()).isEqualTo(404);
        assertThat(remaining()).isEqualTo(before - 2);
        assertThat(application.send("DELETE", "/plain").statusCode()).isEqualTo(405);
        assertThat(remaining()).isEqualTo(before - 3);
    }

    /** A handler that waits for the store must not do so where the answers of the store are read. */
    @ParameterizedTest
    @ValueSource(strings = {"/threads/plain", "/threads/future", "/threads/mono"})
    void callsNobodyOnTheThreadsOfTheStore(String path) {
        assertThat(application.get(path).body()).isNotEmpty().doesNotContain("lettuce");
    }

    /** What is left of the rule over everything, after asking. */
    protected long remaining() {
        String header =
                application.get("/free").headers().firstValue("RateLimit").orElseThrow();
        return Long.parseLong(header.replaceAll(".*\"everything\";r=(\\d+).*", "$1"));
    }

    protected static CorsConfiguration elsewhere() {
        CorsConfiguration elsewhere = new CorsConfiguration();
        elsewhere.addAllowedOrigin("http://elsewhere");
        return elsewhere;
    }
}
