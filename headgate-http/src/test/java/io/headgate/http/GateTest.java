package io.headgate.http;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headgate.Decision;
import io.headgate.DecisionListener;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class GateTest {

    private final ManualTime time = new ManualTime();
    private final Headgate headgate = Headgate.builder().timeSource(time).build();
    private final Told told = new Told();

    /** Both ways of asking must answer alike. */
    enum Way {
        BLOCKING,
        ASYNC;

        Verdict check(Gate gate, RequestView request) {
            return this == BLOCKING
                    ? gate.check(request)
                    : gate.checkAsync(request).join();
        }
    }

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
    void refusesWhenTheLimitIsSpent(Way way) {
        Rule rule = Rule.named("api").limits("2/min").build();
        Gate gate = gate(checkpoint(rule));
        TestRequest request = TestRequest.get("/");

        assertThat(way.check(gate, request).decision()).isAllowed().hasRemaining(1);
        assertThat(way.check(gate, request).decision()).isAllowed().hasRemaining(0);
        Verdict refusal = way.check(gate, request);

        assertThat(refusal.allowed()).isFalse();
        assertThat(refusal.rule()).isSameAs(rule);
        assertThat(refusal.decision()).isDenied().retriesAfter(Duration.ofSeconds(30));
        assertThat(told.decisions)
                .containsExactly(
                        tuple("api", "Allowed", true), tuple("api", "Allowed", true), tuple("api", "Denied", true));
    }

    /** CATALOGUE A3: what was charged before a denial is taken back. */
    @ParameterizedTest
    @EnumSource
    void refundsWhatWasChargedBeforeADenial(Way way) {
        Checkpoint wide = checkpoint(Rule.named("wide").limits("10/min").build());
        Checkpoint narrow = checkpoint(Rule.named("narrow").limits("1/min").build());
        Gate gate = gate(wide, narrow);
        TestRequest request = TestRequest.get("/");

        assertThat(way.check(gate, request).allowed()).isTrue();
        for (int i = 0; i < 20; i++) {
            assertThat(way.check(gate, request).rule()).isSameAs(narrow.rule());
        }

        assertThat(wide.limiter().peek("test:192.0.2.1")).isAllowed().hasRemaining(9);
        assertThat(told.decisions)
                .as("a charge that was taken back is not told of")
                .hasSize(22);
    }

    /** CATALOGUE C6: of two limits on one target the tighter one fires, and both are reported. */
    @ParameterizedTest
    @EnumSource
    void namesTheStrictestOfSeveralGrants(Way way) {
        Checkpoint wide = checkpoint(Rule.named("wide").limits("10/min").build());
        Checkpoint narrow = checkpoint(Rule.named("narrow").limits("3/min").build());

        Verdict verdict = way.check(gate(wide, narrow), TestRequest.get("/"));

        assertThat(verdict.rule()).isSameAs(narrow.rule());
        assertThat(verdict.decision()).hasRemaining(2);
        assertThat(verdict.checks()).extracting(Verdict.Check::rule).containsExactly(wide.rule(), narrow.rule());
    }

    @ParameterizedTest
    @EnumSource
    void triesOutARuleInTheShadowsOnKeysOfItsOwn(Way way) {
        Rule.Builder rule = Rule.named("api").limits("1/min");
        Checkpoint shadow = checkpoint(rule.behavior(Rule.Behavior.SHADOW).build());
        Checkpoint enforced = checkpoint(rule.behavior(Rule.Behavior.ENFORCE).build());
        Gate gate = gate(shadow);

        for (int i = 0; i < 2; i++) {
            assertThat(way.check(gate, TestRequest.get("/"))).isSameAs(Verdict.PASS);
        }

        assertThat(told.decisions).containsExactly(tuple("api", "Allowed", false), tuple("api", "Denied", false));
        assertThat(way.check(gate(enforced), TestRequest.get("/")).allowed()).isTrue();
    }

    @ParameterizedTest
    @EnumSource
    void takesBackTheShadowsChargeTooWhenAnotherRuleRefuses(Way way) {
        Checkpoint shadow = checkpoint(
                Rule.named("s").limits("9/min").behavior(Rule.Behavior.SHADOW).build());
        Checkpoint closed = checkpoint(Rule.named("closed").limits("0/min").build());

        way.check(gate(shadow, closed), TestRequest.get("/"));

        assertThat(shadow.limiter().peek("test:192.0.2.1")).hasRemaining(9);
    }

    /** CATALOGUE H14: a request without a subject is limited, skipped or refused, as the rule says. */
    @ParameterizedTest
    @EnumSource
    void doesWithAMissingSubjectWhatTheRuleSays(Way way) {
        Rule.Builder rule = Rule.named("api").limits("5/min");
        TestRequest nobody = TestRequest.get("/").from(null);

        Checkpoint skip = checkpoint(rule.missing(Rule.Missing.SKIP).build());
        Checkpoint deny = checkpoint(rule.missing(Rule.Missing.DENY).build());

        assertThat(way.check(gate(skip), nobody)).isSameAs(Verdict.PASS);
        assertThat(way.check(gate(deny), nobody).decision()).isImpossible();
    }

    @ParameterizedTest
    @EnumSource
    void leavesThoseAloneWhoBypass(Way way) {
        Gate gate = gate(
                checkpoint(Rule.named("api").limits("0/min").bypass("192.0.2.9").build()));

        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.9"))).isSameAs(Verdict.PASS);
        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.8")).allowed())
                .isFalse();
    }

    /** Those who are never limited need not say who they are. */
    @ParameterizedTest
    @EnumSource
    void leavesThoseAloneWhoBypassWithoutASubject(Way way) {
        Rule.Builder rule = Rule.named("api").subject("nobody").limits("9/min").missing(Rule.Missing.DENY);
        Gate gate = gate(checkpoint(rule.bypass("192.0.2.9").build()));

        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.9"))).isSameAs(Verdict.PASS);
        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.8")).decision())
                .isImpossible();
    }

    @ParameterizedTest
    @EnumSource
    void chargesTheCostOfTheRequest(Way way) {
        Rule rule = Rule.named("api").limits("10/min").cost(2).build();

        assertThat(way.check(gate(checkpoint(rule)), TestRequest.get("/")).decision())
                .hasRemaining(8);
        assertThat(way.check(gate(checkpoint(rule, request -> 5, null)), TestRequest.get("/"))
                        .decision())
                .hasRemaining(3);
        assertThat(way.check(gate(checkpoint(rule, request -> 11, null)), TestRequest.get("/"))
                        .decision())
                .as("CATALOGUE C4")
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
        Gate gate = gate(checkpoint(Rule.named("api").limits("10/min").build(), null, plans));
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
        Gate gate = gate(checkpoint(Rule.named("api").limits("10/min").build(), null, subject -> answer));

        CompletableFuture<Verdict> verdict = gate.checkAsync(TestRequest.get("/"));
        assertThat(verdict).isNotDone();
        answer.complete(Optional.of(Plan.parse("7/min")));

        assertThat(verdict.join().decision()).hasRemaining(6);
    }

    @Test
    void waitsForAStoreElsewhereAtEveryCheckpointWithoutHoldingTheThread() {
        SlowStore store = new SlowStore(headgate.store());
        Headgate elsewhere = Headgate.builder().store(store).build();
        Checkpoint wide = checkpoint(Rule.named("wide").limits("10/min").build(), elsewhere);
        Checkpoint narrow = checkpoint(Rule.named("narrow").limits("1/min").build(), elsewhere);
        Gate gate = gate(wide, narrow);

        CompletableFuture<Verdict> first = gate.checkAsync(TestRequest.get("/"));
        store.answerAll();
        assertThat(first.join().allowed()).isTrue();

        CompletableFuture<Verdict> second = gate.checkAsync(TestRequest.get("/"));
        assertThat(second).isNotDone();
        store.answerAll();

        assertThat(second.join().rule()).isSameAs(narrow.rule());
        assertThat(headgate.store()
                        .apply(new Key("wide", "test:192.0.2.1"), wide.limiter().plan(), Operation.PEEK))
                .hasRemaining(9);
    }

    /** CATALOGUE C13: a store that fails follows the declared policy, and somebody is told. */
    @ParameterizedTest
    @EnumSource
    void followsThePolicyWhenTheStoreFails(Way way) {
        Headgate broken = Headgate.builder().store(new BrokenStore()).build();
        Rule.Builder rule = Rule.named("api").limits("10/min");
        Checkpoint open = checkpoint(rule.onStoreFailure(FailurePolicy.OPEN).build(), broken);
        Checkpoint closed = checkpoint(rule.onStoreFailure(FailurePolicy.CLOSED).build(), broken);

        Checkpoint local = checkpoint(rule.onStoreFailure(FailurePolicy.LOCAL).build(), broken);

        Verdict passed = way.check(gate(open), TestRequest.get("/"));
        assertThat(passed.allowed()).isTrue();
        assertThat(passed.checks())
                .extracting(check -> check.decision().degraded())
                .containsExactly(true);
        assertThat(way.check(gate(closed), TestRequest.get("/")).decision()).isUnavailable();
        assertThat(way.check(gate(local), TestRequest.get("/")).decision())
                .as("nobody limits in process here")
                .isUnavailable();
        assertThat(told.failures).containsExactly("api OPEN broken", "api CLOSED broken", "api LOCAL broken");
        assertThat(told.decisions)
                .containsExactly(
                        tuple("api", "Allowed", true),
                        tuple("api", "Unavailable", true),
                        tuple("api", "Unavailable", true));
    }

    /** CATALOGUE C13: so does a resolver that fails; with the default policy limiting goes on. */
    @ParameterizedTest
    @EnumSource
    void goesOnLimitingWhenAResolverFails(Way way) {
        PlanResolver plans = subject -> {
            throw new IllegalStateException("plans");
        };
        CostResolver cost = request -> 0;
        Rule.Builder rule = Rule.named("api").subject("failing").limits("3/min");
        Gate gate = gate(checkpoint(rule.build(), cost, plans));

        assertThat(way.check(gate, TestRequest.get("/")).decision()).hasRemaining(2);
        assertThat(told.failures)
                .containsExactly("api LOCAL subject", "api LOCAL a cost must be at least 1, not 0", "api LOCAL plans");

        rule.onStoreFailure(FailurePolicy.CLOSED);
        assertThat(way.check(gate(checkpoint(rule.build())), TestRequest.get("/"))
                        .decision())
                .isUnavailable();
        rule.onStoreFailure(FailurePolicy.OPEN);
        assertThat(way.check(gate(checkpoint(rule.build())), TestRequest.get("/"))
                        .decision())
                .isAllowed();
    }

    /** CATALOGUE C13: nobody gets a budget of their own by making a resolver fail, nor pays more than 1. */
    @ParameterizedTest
    @EnumSource
    void sharesOneBudgetAmongThoseWhomAResolverFailsFor(Way way) {
        CostResolver cost = request -> {
            throw new StackOverflowError("cost");
        };
        Rule rule = Rule.named("api").subject("failing").limits("9/min").cost(5).build();
        Gate gate = gate(checkpoint(rule, cost, null));

        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.7")).decision())
                .hasRemaining(8);
        assertThat(way.check(gate, TestRequest.get("/").from("192.0.2.8")).decision())
                .hasRemaining(7);
        assertThat(told.failures).hasSize(4);
    }

    /** Not only exceptions: code that does not fit together, or asserts something, must not become a 500 either. */
    @ParameterizedTest
    @EnumSource
    void followsThePolicyWhateverAResolverThrows(Way way) {
        PlanResolver plans = subject -> {
            throw new NoClassDefFoundError("plans");
        };
        CostResolver cost = request -> {
            throw new AssertionError("cost");
        };
        Rule.Builder rule = Rule.named("api").limits("3/min");

        assertThat(way.check(gate(checkpoint(rule.build(), cost, plans)), TestRequest.get("/"))
                        .decision())
                .hasRemaining(2);
        assertThat(told.failures).hasSize(2);
        rule.onStoreFailure(FailurePolicy.CLOSED);
        assertThat(way.check(gate(checkpoint(rule.build(), cost, plans)), TestRequest.get("/"))
                        .decision())
                .isUnavailable();
        rule.onStoreFailure(FailurePolicy.OPEN);
        assertThat(way.check(gate(checkpoint(rule.build(), null, plans)), TestRequest.get("/"))
                        .decision())
                .isAllowed();
    }

    /** What is known of one budget is told, even if another could not be asked. */
    @ParameterizedTest
    @EnumSource
    void prefersADecisionThatKnowsToOneThatDoesNot(Way way) {
        Headgate broken = Headgate.builder().store(new BrokenStore()).build();
        Rule.Builder open = Rule.named("open").limits("1/min").onStoreFailure(FailurePolicy.OPEN);
        Checkpoint unknown = checkpoint(open.build(), broken);
        Checkpoint known = checkpoint(Rule.named("known").limits("10/min").build());

        for (Gate gate : List.of(gate(unknown, known), gate(known, unknown))) {
            Verdict verdict = way.check(gate, TestRequest.get("/"));
            assertThat(verdict.rule()).isSameAs(known.rule());
            assertThat(verdict.checks()).hasSize(2);
        }
    }

    /** Neither a resolver that fails nor one that answers nothing at all is asked by every request. */
    @ParameterizedTest
    @EnumSource
    void leavesAFailingPlanResolverAloneForASecond(Way way) {
        AtomicInteger questions = new AtomicInteger();
        PlanResolver plans = subject -> {
            questions.incrementAndGet();
            return unanswered();
        };
        Gate gate = gate(checkpoint(Rule.named("api").limits("10/min").build(), null, plans));

        for (int i = 1; i <= 3; i++) {
            assertThat(way.check(gate, TestRequest.get("/")).decision()).hasRemaining(10 - i);
        }
        assertThat(questions).hasValue(1);
        assertThat(told.failures).hasSize(3).allMatch(each -> each.equals("api LOCAL the plan resolver answered null"));

        time.advance(Duration.ofSeconds(1));
        way.check(gate, TestRequest.get("/"));
        assertThat(questions).hasValue(2);
    }

    @SuppressWarnings("NullAway") // what a resolver of somebody else may do
    private static CompletableFuture<Optional<Plan>> unanswered() {
        return null;
    }

    @Test
    void readsTheRulesInForceForEveryRequest() {
        RuleSet[] current = {RuleSet.EMPTY};
        Gate gate = new Gate(() -> current[0], Rule.Stage.HANDLER, List.of());
        assertThat(gate.check(TestRequest.get("/")).allowed()).isTrue();

        current[0] = new FixedRules(checkpoint(Rule.named("api").limits("0/min").build()));

        assertThat(gate.check(TestRequest.get("/")).allowed()).isFalse();
    }

    private Gate gate(Checkpoint... checkpoints) {
        RuleSet rules = new FixedRules(checkpoints);
        return new Gate(() -> rules, Rule.Stage.HANDLER, List.of(told));
    }

    private Checkpoint checkpoint(Rule rule) {
        return checkpoint(rule, null, null);
    }

    private Checkpoint checkpoint(Rule rule, Headgate headgate) {
        return new Checkpoint(rule, plan(rule), new PeerSubjects(), null, null, LimiterFactory.of(headgate), time);
    }

    private Checkpoint checkpoint(Rule rule, @Nullable CostResolver cost, @Nullable PlanResolver plans) {
        return new Checkpoint(rule, plan(rule), new PeerSubjects(), cost, plans, LimiterFactory.of(headgate), time);
    }

    private static Plan plan(Rule rule) {
        return Plan.parse(rule.limits().toArray(String[]::new));
    }

    /** Rules that are about everything. */
    private record FixedRules(List<Checkpoint> checkpoints) implements RuleSet {

        FixedRules(Checkpoint... checkpoints) {
            this(List.of(checkpoints));
        }

        @Override
        public List<Checkpoint> match(Rule.Stage stage, String method, String path) {
            return checkpoints;
        }

        @Override
        public Explanation explain(String method, String path) {
            throw new AssertionError("requests need no explanation");
        }
    }

    /** Everybody is who they are connected from. */
    private static final class PeerSubjects implements Subjects {

        @Override
        public SubjectResolver resolver(List<String> words, Rule.Missing missing) {
            return request -> {
                if (words.contains("failing")) {
                    throw new IllegalStateException("subject");
                }
                String peer = request.peerAddress();
                return peer == null || words.contains("nobody") ? Subject.absent() : Subject.of("test", peer);
            };
        }

        @Override
        public Bypass bypass(List<String> entries, List<String> words) {
            return (request, subject) -> entries.contains(String.valueOf(request.peerAddress()));
        }

        @Override
        public boolean madeUpAtWill(List<String> words) {
            return false;
        }
    }

    private static final class Told implements DecisionListener {

        private final List<Tuple> decisions = new ArrayList<>();
        private final List<String> failures = new ArrayList<>();

        @Override
        public boolean quick() {
            return true;
        }

        @Override
        public void decided(String scope, Decision decision, boolean enforced) {
            String kind = decision instanceof Decision.Allowed
                    ? "Allowed"
                    : decision.getClass().getSimpleName();
            decisions.add(tuple(scope, kind, enforced));
        }

        @Override
        public void failed(String scope, FailurePolicy policy, Throwable cause) {
            failures.add(scope + " " + policy + " " + cause.getMessage());
        }
    }

    /** Answers when told to. */
    private static final class SlowStore implements Store {

        private final Store store;
        private final List<Runnable> waiting = new ArrayList<>();

        SlowStore(Store store) {
            this.store = store;
        }

        @Override
        public Decision apply(Key key, Plan plan, Operation operation) {
            throw new AssertionError("nobody may wait here");
        }

        @Override
        public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
            CompletableFuture<Decision> answer = new CompletableFuture<>();
            waiting.add(() -> answer.complete(store.apply(key, plan, operation)));
            return answer;
        }

        @Override
        public void check(Plan plan) {}

        void answerAll() {
            while (!waiting.isEmpty()) {
                waiting.remove(0).run();
            }
        }
    }

    private static final class BrokenStore implements Store {

        @Override
        public Decision apply(Key key, Plan plan, Operation operation) {
            throw new StoreException("broken");
        }

        @Override
        public void check(Plan plan) {}
    }

    /** CATALOGUE K05: nothing of a subject is shown by accident. */
    @Test
    void keepsSubjectsOutOfItsText() {
        Rule rule = Rule.named("api").limits("1/min").build();
        Decision decision = Decision.Allowed.of(Limit.parse("1/min"), "secret", 1, 0, 0, 0, null);

        assertThat(Verdict.of(rule, decision).toString()).doesNotContain("secret");
        assertThat(Subject.of("header", "secret").toString()).doesNotContain("secret");
    }
}
