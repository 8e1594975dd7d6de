package io.headgate.http;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of a request when the store or a resolver fails. */
class GateFailuresTest extends GateFixture {

    private static final Store BROKEN = (scope, plan) -> (subject, operation) -> {
        throw new StoreException("broken");
    };

    /** Known bug C13: a store that fails follows the declared policy, and somebody is told. */
    @ParameterizedTest
    @EnumSource
    void followsThePolicyWhenTheStoreFails(Way way) {
        Headgate broken = Headgate.builder().store(BROKEN).unguarded().build();
        Rule.Builder rule = Rule.named("api").limits("10/min");
        BoundRule open = bind(rule.onStoreFailure(FailurePolicy.OPEN).build(), broken);
        BoundRule closed = bind(rule.onStoreFailure(FailurePolicy.CLOSED).build(), broken);

        BoundRule local = bind(rule.onStoreFailure(FailurePolicy.LOCAL).build(), broken);

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

    /** Known bug C13: so does a resolver that fails; with the default policy limiting goes on. */
    @ParameterizedTest
    @EnumSource
    void goesOnLimitingWhenAResolverFails(Way way) {
        PlanResolver plans = (subject, request) -> {
            throw new IllegalStateException("plans");
        };
        CostResolver cost = request -> 0;
        Rule.Builder rule = Rule.named("api").subject("failing").limits("3/min");
        RuleGate gate = gate(bind(rule.build(), cost, plans));

        assertThat(way.check(gate, TestRequest.get("/")).decision()).hasRemaining(2);
        assertThat(told.failures)
                .containsExactly("api LOCAL subject", "api LOCAL a cost must be at least 1, not 0", "api LOCAL plans");

        rule.onStoreFailure(FailurePolicy.CLOSED);
        assertThat(way.check(gate(bind(rule.build())), TestRequest.get("/")).decision())
                .isUnavailable();
        rule.onStoreFailure(FailurePolicy.OPEN);
        assertThat(way.check(gate(bind(rule.build())), TestRequest.get("/")).decision())
                .isAllowed();
    }

    /** Known bugs C13, K05: not swallowed, nor a flood of it; and what a client sent may be in the words of an exception. */
    @ParameterizedTest
    @EnumSource
    void saysInTheLogThatAResolverFails(Way way) {
        CostResolver cost = request -> Long.parseLong("secret");
        List<String> log = new ArrayList<>();
        Logger logger = Logger.getLogger(Gate.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord line) {
                log.add(line.getLevel() + " " + line.getMessage());
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            for (FailurePolicy policy : FailurePolicy.values()) {
                Rule rule = Rule.named("api-" + policy)
                        .limits("3/min")
                        .onStoreFailure(policy)
                        .build();
                RuleGate gate = gate(bind(rule, cost, null));
                way.check(gate, TestRequest.get("/"));
                way.check(gate, TestRequest.get("/"));
            }
        } finally {
            logger.removeHandler(handler);
        }

        assertThat(log)
                .hasSameSizeAs(FailurePolicy.values())
                .allSatisfy(line -> assertThat(line)
                        .startsWith("WARNING a resolver of rule 'api-")
                        .contains("NumberFormatException")
                        .doesNotContain("secret"));
    }

    /** Known bug C13: nobody gets a budget of their own by making a resolver fail, nor pays more than 1. */
    @ParameterizedTest
    @EnumSource
    void sharesOneBudgetAmongThoseWhomAResolverFailsFor(Way way) {
        CostResolver cost = request -> {
            throw new StackOverflowError("cost");
        };
        Rule rule = Rule.named("api").subject("failing").limits("9/min").cost(5).build();
        RuleGate gate = gate(bind(rule, cost, null));

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
        PlanResolver plans = (subject, request) -> {
            throw new NoClassDefFoundError("plans");
        };
        CostResolver cost = request -> {
            throw new AssertionError("cost");
        };
        Rule.Builder rule = Rule.named("api").limits("3/min");

        assertThat(way.check(gate(bind(rule.build(), cost, plans)), TestRequest.get("/"))
                        .decision())
                .hasRemaining(2);
        assertThat(told.failures).hasSize(2);
        rule.onStoreFailure(FailurePolicy.CLOSED);
        assertThat(way.check(gate(bind(rule.build(), cost, plans)), TestRequest.get("/"))
                        .decision())
                .isUnavailable();
        rule.onStoreFailure(FailurePolicy.OPEN);
        assertThat(way.check(gate(bind(rule.build(), null, plans)), TestRequest.get("/"))
                        .decision())
                .isAllowed();
    }

    /** What is known of one budget is told, even if another could not be asked. */
    @ParameterizedTest
    @EnumSource
    void prefersADecisionThatKnowsToOneThatDoesNot(Way way) {
        Headgate broken = Headgate.builder().store(BROKEN).unguarded().build();
        Rule.Builder open = Rule.named("open").limits("1/min").onStoreFailure(FailurePolicy.OPEN);
        BoundRule unknown = bind(open.build(), broken);
        BoundRule known = bind(Rule.named("known").limits("10/min").build());

        for (RuleGate gate : List.of(gate(unknown, known), gate(known, unknown))) {
            Verdict verdict = way.check(gate, TestRequest.get("/"));
            assertThat(verdict.rule()).isEqualTo(known.name());
            assertThat(verdict.checks()).hasSize(2);
        }
    }

    /** Neither a resolver that fails nor one that answers nothing at all is asked by every request. */
    @ParameterizedTest
    @EnumSource
    void leavesAFailingPlanResolverAloneForASecond(Way way) {
        AtomicInteger questions = new AtomicInteger();
        PlanResolver plans = (subject, request) -> {
            questions.incrementAndGet();
            return unanswered();
        };
        RuleGate gate = gate(bind(Rule.named("api").limits("10/min").build(), null, plans));

        for (int i = 1; i <= 3; i++) {
            assertThat(way.check(gate, TestRequest.get("/")).decision()).hasRemaining(10 - i);
        }
        assertThat(questions).hasValue(1);
        assertThat(told.failures).hasSize(3).allMatch(each -> each.equals("api LOCAL the plan resolver returned null"));

        time.advance(Duration.ofSeconds(1));
        way.check(gate, TestRequest.get("/"));
        assertThat(questions).hasValue(2);
    }

    /** The second runs from when it failed: one that takes longer than that to fail would be asked by everybody. */
    @Test
    void leavesASlowlyFailingPlanResolverAloneForASecond() {
        List<CompletableFuture<Optional<Plan>>> questions = new ArrayList<>();
        PlanResolver plans = (subject, request) -> {
            CompletableFuture<Optional<Plan>> answer = new CompletableFuture<>();
            questions.add(answer);
            return answer;
        };
        RuleGate gate = gate(bind(Rule.named("api").limits("10/min").build(), null, plans));
        CompletableFuture<Verdict> first = gate.checkAsync(TestRequest.get("/"));

        time.advance(Duration.ofMillis(900));
        questions.get(0).completeExceptionally(new IllegalStateException("plans"));
        assertThat(first.join().decision()).hasRemaining(9);
        time.advance(Duration.ofMillis(900));
        assertThat(gate.checkAsync(TestRequest.get("/"))).isDone();
        assertThat(questions).hasSize(1);

        time.advance(Duration.ofMillis(100));
        gate.checkAsync(TestRequest.get("/"));
        assertThat(questions).hasSize(2);
    }

    /** So it does if the resolver holds the thread until it fails, as one that asks a database does. */
    @ParameterizedTest
    @EnumSource
    void leavesAResolverAloneThatTookLongToFail(Way way) {
        AtomicInteger questions = new AtomicInteger();
        PlanResolver plans = (subject, request) -> {
            questions.incrementAndGet();
            time.advance(Duration.ofSeconds(30));
            throw new IllegalStateException("no connection");
        };
        RuleGate gate = gate(bind(Rule.named("api").limits("10/min").build(), null, plans));

        way.check(gate, TestRequest.get("/"));
        time.advanceMicros(999_999);
        way.check(gate, TestRequest.get("/"));
        assertThat(questions).hasValue(1);

        time.advanceMicros(1);
        way.check(gate, TestRequest.get("/"));
        assertThat(questions).hasValue(2);
    }

    /** A resolver that never answers would hold whoever waits for it, and be asked by nobody again. */
    @ParameterizedTest
    @EnumSource
    void waitsASecondForAPlanAndNoLonger(Way way) {
        List<CompletableFuture<Optional<Plan>>> questions = new CopyOnWriteArrayList<>();
        PlanResolver plans = (subject, request) -> {
            CompletableFuture<Optional<Plan>> answer = new CompletableFuture<>();
            questions.add(answer);
            return answer;
        };
        Rule.Builder rule = Rule.named("api").limits("10/min");
        RuleGate local = gate(bind(rule.build(), null, plans));
        RuleGate closed = gate(bind(rule.onStoreFailure(FailurePolicy.CLOSED).build(), null, plans));

        CompletableFuture<Verdict> first = underWay(() -> way.check(local, TestRequest.get("/")));
        time.advanceMicros(999_999);
        assertThat(first).isNotDone();
        time.advanceMicros(1);
        assertThat(first.join().decision()).hasRemaining(9);
        assertThat(told.failures).containsExactly("api LOCAL the plan resolver did not answer within a second");

        questions.get(0).complete(Optional.of(Plan.parse("7/min")));
        assertThat(way.check(local, TestRequest.get("/")).decision()).hasRemaining(8);
        assertThat(questions).hasSize(1);

        CompletableFuture<Verdict> denied = underWay(() -> way.check(closed, TestRequest.get("/")));
        time.advance(Duration.ofSeconds(1));
        assertThat(denied.join().decision()).isUnavailable();
        assertThat(((Decision.Unavailable) denied.join().decision()).cause().reason())
                .isEqualTo(StoreException.Reason.TIMEOUT);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void leavesNoAlarmBehindOnceThePlanIsThere() {
        CompletableFuture<Optional<Plan>> answer = new CompletableFuture<>();
        RuleGate gate = gate(bind(Rule.named("api").limits("10/min").build(), null, (subject, request) -> answer));

        CompletableFuture<Verdict> verdict = gate.checkAsync(TestRequest.get("/"));
        assertThat(time.waiting()).isOne();
        answer.complete(Optional.empty());
        assertThat(verdict.join().decision()).hasRemaining(9);
        assertThat(time.waiting()).isZero();
        gate.checkAsync(TestRequest.get("/"));
        assertThat(time.waiting()).isZero();
    }

    /** A check on a thread of its own, once it waits for a time to come. */
    private CompletableFuture<Verdict> underWay(Supplier<Verdict> check) {
        CompletableFuture<Verdict> verdict = CompletableFuture.supplyAsync(check, task -> {
                    Thread thread = new Thread(task);
                    thread.setDaemon(true);
                    thread.start();
                })
                .orTimeout(10, TimeUnit.SECONDS);
        while (time.waiting() == 0 && !verdict.isDone()) {
            Thread.onSpinWait();
        }
        return verdict;
    }

    @SuppressWarnings("NullAway") // what a resolver of somebody else may do
    private static CompletableFuture<Optional<Plan>> unanswered() {
        return null;
    }
}
