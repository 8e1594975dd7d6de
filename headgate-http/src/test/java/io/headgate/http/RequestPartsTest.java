package io.headgate.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What custom resolvers see of a request. */
class RequestPartsTest {

    private final ManualTime time = new ManualTime();
    private final LedgerFactory limiters =
            LedgerFactory.of(Headgate.builder().timeSource(time).build());
    private final AtomicInteger questions = new AtomicInteger();

    @Test
    void givesResolversTheVariablesOfTheRulesOwnPattern() {
        RuleGate gate = gate(
                Rule.named("orders")
                        .paths("/orders/{id}", "/customers/{customer}/**")
                        .subject("tenant")
                        .limits("1/min")
                        .build(),
                PlanResolver.of(subject -> Optional.empty()));

        assertThat(gate.check(TestRequest.get("/orders/7")).allowed()).isTrue();
        assertThat(gate.check(TestRequest.get("/orders/7")).allowed()).isFalse();
        assertThat(gate.check(TestRequest.get("/orders/8")).allowed()).isTrue();
        assertThat(gate.check(TestRequest.get("/customers/7/orders")).allowed()).isTrue();
    }

    @Test
    void letsThePlanDependOnTheRequest() {
        RuleGate gate = gate(
                api(), (subject, request) -> answer(request.headers("X-Plan").isEmpty() ? null : "100/min"));

        assertThat(remaining(gate, TestRequest.get("/api").header("X-Plan", "gold")))
                .isEqualTo(99);
        assertThat(remaining(gate, TestRequest.get("/api").from("192.0.2.2"))).isEqualTo(9);
        assertThat(remaining(gate, TestRequest.get("/api")))
                .as("the answer is kept for the subject")
                .isEqualTo(98);
        assertThat(questions).hasValue(2);
    }

    @Test
    void asksForEveryRequestIfThePlanDoesNotBelongToTheSubject() {
        RuleGate gate = gate(api(), PlanResolver.forEveryRequest((subject, request) -> {
            questions.incrementAndGet();
            return Optional.of(request.path().endsWith("/search") ? "5/min" : "100/min")
                    .map(Plan::parse);
        }));

        assertThat(remaining(gate, TestRequest.get("/api/a"))).isEqualTo(99);
        assertThat(remaining(gate, TestRequest.get("/api/search")))
                .as("what was spent counts")
                .isEqualTo(3);
        assertThat(remaining(gate, TestRequest.get("/api/a"))).isEqualTo(97);
        assertThat(questions).hasValue(3);
    }

    /** Otherwise a look at the budget of a paying user would put that user on the plan of everybody for a minute. */
    @Test
    void doesNotKeepAnAnswerThatWasGivenWithoutARequest() {
        PlanResolver plans =
                (subject, request) -> answer(request.headers("X-Plan").isEmpty() ? null : "100/min");
        RuleSet rules = compiler(plans).compile(List.of(api()));
        RuleGate gate = new RuleGate(() -> rules, List.of());
        Subject.Present somebody = new Subject.Present("ip", "192.0.2.1");

        BoundRule point = rules.boundRules().get(0);
        assertThat(point.limiterFor(somebody).join().plan()).isEqualTo(Plan.parse("10/min"));
        assertThat(remaining(gate, TestRequest.get("/api").header("X-Plan", "gold")))
                .isEqualTo(99);
        assertThat(point.limiterFor(somebody).join().plan())
                .as("the answer to the request is known")
                .isEqualTo(Plan.parse("100/min"));

        time.advance(Duration.ofMinutes(1));
        assertThat(point.limiterFor(somebody).join().plan()).isEqualTo(Plan.parse("10/min"));
    }

    @Test
    void looksUpThePrincipalForAPlanThatMayDependOnIt() {
        assertThat(needsPrincipal((subject, request) -> answer(null))).isTrue();
        assertThat(needsPrincipal(PlanResolver.of(subject -> Optional.empty()))).isFalse();
    }

    private boolean needsPrincipal(PlanResolver plans) {
        return compiler(plans).compile(List.of(api())).boundRules().get(0).needsPrincipal();
    }

    private CompletableFuture<Optional<Plan>> answer(String limit) {
        questions.incrementAndGet();
        return CompletableFuture.completedFuture(Optional.ofNullable(limit).map(Plan::parse));
    }

    private static Rule api() {
        return Rule.named("api")
                .paths("/api/**")
                .limits("10/min")
                .planResolver("plans")
                .build();
    }

    private static long remaining(RuleGate gate, TestRequest request) {
        return gate.check(request).decision().remaining();
    }

    private RuleGate gate(Rule rule, PlanResolver plans) {
        RuleSet rules = compiler(plans).compile(List.of(rule));
        return new RuleGate(() -> rules, List.of());
    }

    private RuleCompiler compiler(PlanResolver plans) {
        SubjectResolver tenant = request -> {
            String id = request.pathVariable("id");
            return Subject.of(id != null ? "order " + id : "customer " + request.pathVariable("customer"));
        };
        return new RuleCompiler(
                StandardSubjects.builder().custom(Map.of("tenant", tenant)).build(),
                limiters,
                time,
                Map.of(),
                Map.of("plans", plans));
    }
}
