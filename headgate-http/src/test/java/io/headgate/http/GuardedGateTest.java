package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.guard.GuardSettings;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.testkit.ManualTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a client sees while the store behind a guard is down: what the rule asks for. Known bugs R9, R10. */
class GuardedGateTest {

    private final ManualTime time = new ManualTime();
    private final FallenStore store = new FallenStore();
    private final Headgate headgate = Headgate.builder()
            .timeSource(time)
            .store(store)
            .guard(GuardSettings.DEFAULT.instances(2))
            .build();
    private final List<Boolean> told = new ArrayList<>();
    private final StandardAnswers answers = new StandardAnswers(time);

    @ParameterizedTest
    @EnumSource
    void limitsInProcess(GateFixture.Way way) {
        RuleGate gate = gate(FailurePolicy.LOCAL);
        for (int i = 0; i < 3; i++) {
            Verdict verdict = way.check(gate, TestRequest.get("/api"));
            assertThat(verdict.allowed()).isTrue();
            assertThat(headers(verdict)).isEmpty();
        }
        Verdict denial = way.check(gate, TestRequest.get("/api"));
        assertThat(answers.status(denial)).isEqualTo(429);
        assertThat(headers(denial)).containsOnlyKeys("Retry-After").containsEntry("Retry-After", "60");
        assertThat(answers.body(denial)).contains("\"api:6/min\"").doesNotContain("3/min");
        assertThat(told).containsExactly(true, true, true, true);
    }

    @ParameterizedTest
    @EnumSource
    void letsPass(GateFixture.Way way) {
        RuleGate gate = gate(FailurePolicy.OPEN);
        for (int i = 0; i < 20; i++) {
            Verdict verdict = way.check(gate, TestRequest.get("/api"));
            assertThat(verdict.allowed()).isTrue();
            assertThat(headers(verdict)).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void isUnavailable(GateFixture.Way way) {
        Verdict denial = way.check(gate(FailurePolicy.CLOSED), TestRequest.get("/api"));
        assertThat(answers.status(denial)).isEqualTo(503);
        assertThat(answers.body(denial)).contains("temporary-reduced-capacity");
        assertThat(headers(denial)).containsOnlyKeys("Retry-After").containsEntry("Retry-After", "1");
    }

    private RuleGate gate(FailurePolicy policy) {
        Rule rule = Rule.named("api")
                .paths("/**")
                .limits("6/min", "100/h")
                .onStoreFailure(policy)
                .algorithm("sliding-window-log")
                .build();
        RuleSet rules = new RuleCompiler(
                        StandardSubjects.builder().build(), LedgerFactory.of(headgate), time, Map.of(), Map.of())
                .compile(List.of(rule));
        return new RuleGate(() -> rules, List.of(new RecordedDecisions()));
    }

    private Map<String, String> headers(Verdict verdict) {
        Map<String, String> headers = new LinkedHashMap<>();
        answers.headers(verdict, headers::put);
        return headers;
    }

    private final class RecordedDecisions implements DecisionListener {

        @Override
        public void decided(String scope, Decision decision, boolean enforced) {
            told.add(decision.degraded());
        }

        @Override
        public boolean quick() {
            return true;
        }
    }

    private static final class FallenStore implements Store {

        @Override
        public Ledger bind(String scope, Plan plan) {
            return new Ledger() {
                @Override
                public Decision apply(String subject, Operation operation) {
                    throw new AssertionError("nobody may wait here");
                }

                @Override
                public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                    return CompletableFuture.failedFuture(new StoreException("fallen"));
                }
            };
        }

        @Override
        public boolean blocks() {
            return false;
        }
    }
}
