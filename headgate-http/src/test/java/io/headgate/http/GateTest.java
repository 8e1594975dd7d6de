package io.headgate.http;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.engine.Grant;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GateTest extends GateFixture {

    @ParameterizedTest
    @EnumSource
    void letsPassWhatNoRuleIsAbout(Way way) {
        Verdict verdict = way.check(gate(), TestRequest.get("/"));

        assertThat(verdict).isSameAs(Verdict.PASS);
        assertThat(verdict.allowed()).isTrue();
        assertThat(told.decisions).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void deniesWhenTheLimitIsSpent(Way way) {
        Rule rule = Rule.named("api").limits("2/min").build();
        RuleGate gate = gate(bind(rule));
        TestRequest request = TestRequest.get("/");

        assertThat(way.check(gate, request).decision()).isAllowed().hasRemaining(1);
        assertThat(way.check(gate, request).decision()).isAllowed().hasRemaining(0);
        Verdict denial = way.check(gate, request);

        assertThat(denial.allowed()).isFalse();
        assertThat(denial.rule()).isEqualTo(rule.name());
        assertThat(denial.decision()).isDenied().retriesAfter(Duration.ofSeconds(30));
        assertThat(told.decisions)
                .containsExactly(
                        tuple("api", "Allowed", true), tuple("api", "Allowed", true), tuple("api", "Denied", true));
    }

    /** A ceiling is there to spare what stands behind it, resolvers that take their time included. */
    @ParameterizedTest
    @EnumSource
    void asksNobodyBehindADenial(Way way) {
        BoundRule ceiling = bind(Rule.named("ceiling").limits("0/min").build());
        BoundRule behind =
                bind(Rule.named("behind").subject("failing").limits("9/min").build());

        assertThat(way.check(gate(ceiling, behind), TestRequest.get("/")).rule())
                .isEqualTo(ceiling.name());
        assertThat(told.failures).isEmpty();
    }

    /** Known bug A3: what was charged before a denial is taken back. */
    @ParameterizedTest
    @EnumSource
    void refundsWhatWasChargedBeforeADenial(Way way) {
        BoundRule wide = bind(Rule.named("wide").limits("10/min").build());
        BoundRule narrow = bind(Rule.named("narrow").limits("1/min").build());
        RuleGate gate = gate(wide, narrow);
        TestRequest request = TestRequest.get("/");

        assertThat(way.check(gate, request).allowed()).isTrue();
        for (int i = 0; i < 20; i++) {
            assertThat(way.check(gate, request).rule()).isEqualTo(narrow.name());
        }

        assertThat(wide.limiter().peek("test:192.0.2.1")).isAllowed().hasRemaining(9);
        assertThat(told.decisions)
                .as("a charge that was taken back is not told of")
                .hasSize(22);
    }

    /** Known bug C6: of two limits on one target the tighter one fires, and both are reported. */
    @ParameterizedTest
    @EnumSource
    void namesTheStrictestOfSeveralGrants(Way way) {
        BoundRule wide = bind(Rule.named("wide").limits("10/min").build());
        BoundRule narrow = bind(Rule.named("narrow").limits("3/min").build());

        Verdict verdict = way.check(gate(wide, narrow), TestRequest.get("/"));

        assertThat(verdict.rule()).isEqualTo(narrow.name());
        assertThat(verdict.decision()).hasRemaining(2);
        assertThat(verdict.checks()).extracting(Verdict.Check::rule).containsExactly("wide", "narrow");
    }

    @ParameterizedTest
    @EnumSource
    void decidesAShadowRuleOnKeysOfItsOwn(Way way) {
        Rule.Builder rule = Rule.named("api").limits("1/min");
        BoundRule shadow = bind(rule.behavior(Rule.Behavior.SHADOW).build());
        BoundRule enforced = bind(rule.behavior(Rule.Behavior.ENFORCE).build());
        RuleGate gate = gate(shadow);

        for (int i = 0; i < 2; i++) {
            assertThat(way.check(gate, TestRequest.get("/"))).isSameAs(Verdict.PASS);
        }

        assertThat(told.decisions).containsExactly(tuple("api", "Allowed", false), tuple("api", "Denied", false));
        assertThat(way.check(gate(enforced), TestRequest.get("/")).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void takesBackTheShadowsChargeTooWhenAnotherRuleDenies(Way way) {
        BoundRule shadow = bind(
                Rule.named("s").limits("9/min").behavior(Rule.Behavior.SHADOW).build());
        BoundRule closed = bind(Rule.named("closed").limits("0/min").build());

        way.check(gate(shadow, closed), TestRequest.get("/"));

        assertThat(shadow.limiter().peek("test:192.0.2.1")).hasRemaining(9);
    }

    /** Known bug H14: a request without a subject is limited, skipped or denied, as the rule says. */
    @ParameterizedTest
    @EnumSource
    void doesWithAMissingSubjectWhatTheRuleSays(Way way) {
        Rule.Builder rule = Rule.named("api").limits("5/min");
        TestRequest nobody = TestRequest.get("/").from(null);

        BoundRule skip = bind(rule.missing(Rule.Missing.SKIP).build());
        BoundRule deny = bind(rule.missing(Rule.Missing.DENY).build());

        assertThat(way.check(gate(skip), nobody)).isSameAs(Verdict.PASS);
        assertThat(way.check(gate(deny), nobody).decision()).isImpossible();
    }

    /** Known bugs I12, H14: two API keys are not the same as none, or a second one would be the way past any limit. */
    @ParameterizedTest
    @EnumSource
    void skipsNobodyWhoContradictsHimself(Way way) {
        BoundRule skip = bind(Rule.named("api")
                .subject("contradiction")
                .limits("5/min")
                .missing(Rule.Missing.SKIP)
                .build());

        assertThat(way.check(gate(skip), TestRequest.get("/")).decision()).isImpossible();
    }

    @ParameterizedTest
    @EnumSource
    void leavesThoseAloneWhoBypass(Way way) {
        RuleGate gate =
                gate(bind(Rule.named("api").limits("0/min").bypass("192.0.2.9").build()));

        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.9"))).isSameAs(Verdict.PASS);
        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.8")).allowed())
                .isFalse();
    }

    /** Those who are never limited need not say who they are. */
    @ParameterizedTest
    @EnumSource
    void leavesThoseAloneWhoBypassWithoutASubject(Way way) {
        Rule.Builder rule = Rule.named("api").subject("nobody").limits("9/min").missing(Rule.Missing.DENY);
        RuleGate gate = gate(bind(rule.bypass("192.0.2.9").build()));

        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.9"))).isSameAs(Verdict.PASS);
        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.8")).decision())
                .isImpossible();
    }

    @ParameterizedTest
    @EnumSource
    void chargesTheCostOfTheRequest(Way way) {
        Rule rule = Rule.named("api").limits("10/min").cost(2).build();

        assertThat(way.check(gate(bind(rule)), TestRequest.get("/")).decision()).hasRemaining(8);
        assertThat(way.check(gate(bind(rule, request -> 5, null)), TestRequest.get("/"))
                        .decision())
                .hasRemaining(3);
        assertThat(way.check(gate(bind(rule, request -> 11, null)), TestRequest.get("/"))
                        .decision())
                .as("Known bug C4")
                .isImpossible();
    }

    @ParameterizedTest
    @EnumSource
    void holdsEachSubjectToItsOwnPlanAndAsksForItOnceAMinute(Way way) {
        AtomicInteger questions = new AtomicInteger();
        PlanResolver plans = PlanResolver.of(subject -> {
            questions.incrementAndGet();
            return subject.value().equals("192.0.2.7") ? Optional.of(Plan.parse("100/min")) : Optional.empty();
        });
        RuleGate gate = gate(bind(Rule.named("api").limits("10/min").build(), null, plans));
        TestRequest paid = TestRequest.get("/").from("192.0.2.7");
        TestRequest free = TestRequest.get("/").from("192.0.2.8");

        assertThat(way.check(gate, paid).decision()).hasRemaining(99);
        assertThat(way.check(gate, paid).decision()).hasRemaining(98);
        assertThat(way.check(gate, free).decision()).hasRemaining(9);
        assertThat(questions).hasValue(2);

        time.advance(Duration.ofMinutes(1));
        way.check(gate, paid);
        assertThat(questions).hasValue(3);
    }

    @Test
    void waitsForAPlanThatTakesItsTimeWithoutHoldingTheThread() {
        CompletableFuture<Optional<Plan>> answer = new CompletableFuture<>();
        RuleGate gate = gate(bind(Rule.named("api").limits("10/min").build(), null, (subject, request) -> answer));

        CompletableFuture<Verdict> verdict = gate.checkAsync(TestRequest.get("/"));
        assertThat(verdict).isNotDone();
        answer.complete(Optional.of(Plan.parse("7/min")));

        assertThat(verdict.join().decision()).hasRemaining(6);
    }

    @Test
    void waitsForAStoreElsewhereAtEveryCheckpointWithoutHoldingTheThread() {
        SlowStore store = new SlowStore(headgate.store());
        Headgate elsewhere = Headgate.builder().store(store).unguarded().build();
        BoundRule wide = bind(Rule.named("wide").limits("10/min").build(), elsewhere);
        BoundRule narrow = bind(Rule.named("narrow").limits("1/min").build(), elsewhere);
        RuleGate gate = gate(wide, narrow);

        CompletableFuture<Verdict> first = gate.checkAsync(TestRequest.get("/"));
        store.answerAll();
        assertThat(first.join().allowed()).isTrue();

        CompletableFuture<Verdict> second = gate.checkAsync(TestRequest.get("/"));
        assertThat(second).isNotDone();
        store.answerAll();

        assertThat(second.join().rule()).isEqualTo(narrow.name());
        assertThat(headgate.store().bind("wide", wide.limiter().plan()).apply("test:192.0.2.1", Operation.PEEK))
                .hasRemaining(9);
    }

    @Test
    void readsTheRulesInForceForEveryRequest() {
        RuleSet[] current = {RuleSet.EMPTY};
        RuleGate gate = new RuleGate(() -> current[0], List.of());
        assertThat(gate.check(TestRequest.get("/")).allowed()).isTrue();

        current[0] = new FixedRules(bind(Rule.named("api").limits("0/min").build()));

        assertThat(gate.check(TestRequest.get("/")).allowed()).isFalse();
    }

    /** For adapters that know of limits which are not rules, or of rules that have been charged. */
    @Test
    void checksWhereItIsToldToAndNowhereElse() {
        BoundRule wide = bind(Rule.named("wide").limits("10/min").build());
        BoundRule narrow = bind(Rule.named("narrow").limits("0/min").build());
        BoundRule other = bind(Rule.named("other").limits("5/min").build());
        RuleGate gate = gate(wide, narrow);
        TestRequest request = TestRequest.get("/");

        assertThat(gate.match(request)).containsExactly(wide, narrow);
        assertThat(gate.gate().check(request, List.of())).isSameAs(Verdict.PASS);
        assertThat(gate.gate().check(request, List.of(other, wide)).rule()).isEqualTo(other.name());
        assertThat(told.decisions).containsExactly(tuple("other", "Allowed", true), tuple("wide", "Allowed", true));
    }

    /** Known bug K05: nothing of a subject is shown by accident. */
    @Test
    void keepsSubjectsOutOfItsText() {
        Decision decision = Grant.of(Limit.parse("1/min"), "secret", 1, 0, 0, 0, null);

        assertThat(Verdict.of("api", decision).toString()).doesNotContain("secret");
        assertThat(Subject.of("header", "secret").toString()).doesNotContain("secret");
    }

    /** Answers when told to. */
    private static final class SlowStore implements Store {

        private final Store store;
        private final List<Runnable> waiting = new ArrayList<>();

        SlowStore(Store store) {
            this.store = store;
        }

        @Override
        public Ledger bind(String scope, Plan plan) {
            Ledger ledger = store.bind(scope, plan);
            return new Ledger() {
                @Override
                public Decision apply(String subject, Operation operation) {
                    throw new AssertionError("nobody may wait here");
                }

                @Override
                public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
                    CompletableFuture<Decision> answer = new CompletableFuture<>();
                    waiting.add(() -> answer.complete(ledger.apply(subject, operation)));
                    return answer;
                }
            };
        }

        void answerAll() {
            while (!waiting.isEmpty()) {
                waiting.remove(0).run();
            }
        }
    }
}
