package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.LiveRules;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** All parts together, as an adapter wires them. */
class HttpLimitingTest {

    private final ManualTime time = new ManualTime();
    private final List<Rule> written = new ArrayList<>(List.of(
            Rule.named("login")
                    .paths("/api/login")
                    .methods("POST")
                    .limits("5/min", "20/h")
                    .algorithm("sliding-window-log")
                    .onStoreFailure(FailurePolicy.CLOSED)
                    .build(),
            Rule.named("api")
                    .paths("/api/**")
                    .exclude("/api/health", "/api/metrics")
                    .subject("api-key")
                    .limits("10/min burst 4")
                    .build(),
            Rule.named("ip-ceiling")
                    .paths("/api/**")
                    .match(Rule.Match.ALL)
                    .limits("12/min")
                    .build()));
    private final LiveRules rules = new LiveRules(
            () -> List.copyOf(written),
            new RuleCompiler(
                    StandardSubjects.builder()
                            .trustedProxies(List.of("10.0.0.0/8"))
                            .custom(Map.of("silent", request -> Subject.absent(), "tenant", new Tenant()))
                            .build(),
                    LedgerFactory.of(Headgate.builder().timeSource(time).build()),
                    time,
                    Map.of(),
                    Map.of()));
    private final RuleGate gate = new RuleGate(rules, List.of());
    private final StandardAnswers answers = new StandardAnswers(time);

    /** MISSION C5: strict for logins, generous for reads. */
    @Test
    void holdsEachRequestToItsRule() {
        for (int i = 0; i < 5; i++) {
            assertThat(gate.check(TestRequest.of("POST", "/api/login")).allowed())
                    .isTrue();
        }
        Verdict denial = gate.check(TestRequest.of("POST", "/api/login"));
        assertThat(denial.rule()).isEqualTo("login");
        assertThat(headers(denial)).containsEntry("Retry-After", "60");

        Verdict read = gate.check(TestRequest.get("/api/login").header("X-API-Key", "k"));
        assertThat(headers(read))
                .containsEntry("RateLimit-Policy", "\"ip-ceiling\";q=12;w=60, \"api\";q=4;w=24")
                .containsEntry("RateLimit", "\"ip-ceiling\";r=6;t=5, \"api\";r=3;t=6");
        assertThat(gate.check(TestRequest.get("/other"))).isSameAs(Verdict.PASS);
    }

    /** A client learns what its request lacks, as far as the subject can tell, and nothing that it has sent. */
    @ParameterizedTest
    @CsvSource({
        "api-key, a single X-API-Key header",
        "header:X-Tenant, a single X-Tenant header",
        "bearer, a single Authorization header with a bearer token",
        "principal, an authenticated user",
        "api-key + principal + ip, a single X-API-Key header and an authenticated user",
        "tenant, a tenant in the path"
    })
    void saysWhatIsMissing(String subject, String needs) {
        written.add(Rule.named("strict")
                .paths("/strict")
                .subject(subject)
                .missing(Rule.Missing.DENY)
                .limits("5/min")
                .build());
        rules.reload();

        Verdict denial = gate.check(TestRequest.get("/strict").header("Authorization", "Basic c2VjcmV0"));
        assertThat(answers.status(denial)).isEqualTo(429);
        assertThat(answers.body(denial))
                .contains("\"detail\":\"Rate limit 'strict' only allows requests with " + needs + ".\"")
                .doesNotContain("Basic", "c2VjcmV0");
        assertThat(headers(denial)).doesNotContainKey("Retry-After");
    }

    @Test
    void saysWhatIsMissingIfAHeaderContradictsAnother() {
        written.add(Rule.named("strict")
                .paths("/strict")
                .subject("api-key", "bearer")
                .missing(Rule.Missing.SKIP)
                .limits("5/min")
                .build());
        rules.reload();

        assertThat(answers.body(gate.check(
                        TestRequest.get("/strict").header("X-API-Key", "a").header("X-API-Key", "b"))))
                .contains("only allows requests with a single X-API-Key header or a single Authorization header"
                        + " with a bearer token.");
    }

    /** A custom resolver that tells nothing. */
    @Test
    void saysNothingOfASubjectThatNobodyExplains() {
        written.add(Rule.named("strict")
                .paths("/strict")
                .subject("silent")
                .missing(Rule.Missing.DENY)
                .limits("5/min")
                .build());
        rules.reload();

        assertThat(answers.body(gate.check(TestRequest.get("/strict"))))
                .contains("\"detail\":\"Rate limit 'strict' never allows this request.\"");
    }

    /** Known bug K01: random API keys do not buy fresh budgets, and what a denial had charged is given back. */
    @Test
    void holdsRandomKeysUnderTheCeiling() {
        int allowed = 0;
        for (int i = 0; i < 100; i++) {
            allowed += gate.check(TestRequest.get("/api/a").header("X-API-Key", "random" + i))
                            .allowed()
                    ? 1
                    : 0;
        }
        assertThat(allowed).isEqualTo(12);
    }

    /** Known bug A3: hammering one key does not use up the address. */
    @Test
    void spendsNothingOnADenial() {
        for (int i = 0; i < 100; i++) {
            gate.check(TestRequest.get("/api/a").header("X-API-Key", "one"));
        }
        Verdict other = gate.check(TestRequest.get("/api/a").header("X-API-Key", "other"));

        assertThat(headers(other).get("RateLimit")).startsWith("\"ip-ceiling\";r=7;");
    }

    /** Known bugs C11, A11: new rules take effect without a restart and without forgetting what was spent. */
    @Test
    void keepsWhatWasSpentWhenRulesChange() {
        for (int i = 0; i < 4; i++) {
            gate.check(TestRequest.get("/api/a").header("X-API-Key", "k"));
        }
        written.set(
                1,
                Rule.named("api")
                        .paths("/api/**")
                        .subject("api-key")
                        .limits("10/min burst 5")
                        .build());
        assertThat(rules.reload()).isTrue();

        assertThat(gate.check(TestRequest.get("/api/a").header("X-API-Key", "k"))
                        .allowed())
                .isTrue();
        assertThat(gate.check(TestRequest.get("/api/a").header("X-API-Key", "k"))
                        .allowed())
                .isFalse();
    }

    /** Known bugs H9, R03: waiting as long as told is enough. */
    @Test
    void allowsAfterRetryAfter() {
        TestRequest request = TestRequest.get("/api/a").header("X-API-Key", "k");
        Verdict verdict = gate.check(request);
        while (verdict.allowed()) {
            verdict = gate.check(request);
        }
        time.advance(Duration.ofSeconds(Long.parseLong(headers(verdict).get("Retry-After"))));

        assertThat(gate.check(request).allowed()).isTrue();
    }

    private Map<String, String> headers(Verdict verdict) {
        Map<String, String> headers = new LinkedHashMap<>();
        answers.headers(verdict, headers::put);
        return headers;
    }

    /** A subject of which no request knows. */
    private static final class Tenant implements SubjectResolver {

        @Override
        public Subject resolve(RequestView request) {
            return Subject.absent();
        }

        @Override
        public String needs() {
            return "a tenant in the path";
        }
    }
}
