package io.headgate.spring.webflux;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.http.BoundRule;
import io.headgate.http.DecisionListener;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Listeners;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Subject;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpStatus;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;
import org.springframework.mock.web.server.MockServerWebExchange;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerResult;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;

/** Exchanges that come by several times. */
class GateHandlerAdapterTest {

    private final ManualTime time = new ManualTime();
    private final RuleCompiler compiler = new RuleCompiler(
            StandardSubjects.builder()
                    .custom(Map.of("failing", GateHandlerAdapterTest::fail))
                    .build(),
            LedgerFactory.of(Headgate.builder().timeSource(time).build()),
            time,
            Map.of(),
            Map.of());
    private final List<String> decided = new ArrayList<>();
    private final Gate gate = new Gate(Listeners.of(List.of(listener())));
    private final MockServerWebExchange exchange = MockServerWebExchange.from(MockServerHttpRequest.get("/page"));

    private RuleSet rules = RuleSet.EMPTY;
    private List<BoundRule> own = List.of();

    @Test
    void leavesNothingOnExchangesThatNoRuleIsAbout() {
        rules = compile(rule("other", "/other"));

        dispatch("/page");

        assertThat(exchange.getAttributes().keySet()).noneMatch(name -> name.startsWith("io.headgate"));
        assertThat(headerNames()).isEmpty();
    }

    @Test
    void chargesOnceWhateverTheDispatches() {
        rules = compile(rule("all", "/**"), rule("target", "/target").match(Rule.Match.ALL));
        own = compile(rule("own", "/none")).boundRules();

        dispatch("/page");
        assertThat(decided).containsExactly("all", "own");
        dispatch("/target");
        dispatch("/page");
        assertThat(decided).containsExactly("all", "own", "target");
    }

    /** It says nothing that a client is told, and yet it has counted the request. */
    @Test
    void chargesOnceWhatIsOnlyTriedOut() {
        rules = compile(rule("shadow", "/**").behavior(Rule.Behavior.SHADOW));

        dispatch("/page");
        dispatch("/page");

        assertThat(decided).containsExactly("shadow");
        assertThat(headerNames()).isEmpty();
    }

    /** What the filter decided in shadow mode is not decided again. */
    @Test
    void chargesOnceWhatTheFilterHasCharged() {
        rules = compile(
                rule("early", "/page").stage(Rule.Stage.FILTER),
                rule("shadow", "/page")
                        .stage(Rule.Stage.FILTER)
                        .behavior(Rule.Behavior.SHADOW)
                        .priority(1));
        own = rules.boundRules();

        filter();
        assertThat(decided).containsExactlyInAnyOrder("early", "shadow");
        dispatch("/page");

        assertThat(decided).hasSize(2);
        assertThat(exchange.getResponse().getHeaders().get("RateLimit-Policy")).containsExactly("\"early\";q=2;w=60");
    }

    /** What is left at the filter is no answer to a request that is denied since nobody can be asked. */
    @Test
    void takesBackWhatTheFilterToldWhenDenying() {
        rules = compile(
                rule("early", "/page").stage(Rule.Stage.FILTER),
                rule("late", "/page").subject("failing").onStoreFailure(FailurePolicy.CLOSED));

        filter();
        assertThat(headerNames()).contains("RateLimit", "X-RateLimit-Limit");
        dispatch("/page");

        assertThat(exchange.getResponse().getStatusCode()).isEqualTo(HttpStatus.SERVICE_UNAVAILABLE);
        assertThat(headerNames()).containsExactlyInAnyOrder("Retry-After", "Content-Type", "Content-Length");
    }

    private List<String> headerNames() {
        return exchange.getResponse().getHeaders().headerSet().stream()
                .map(Map.Entry::getKey)
                .toList();
    }

    private void filter() {
        new GateWebFilter(
                        () -> rules,
                        gate,
                        handler -> own,
                        new StandardAnswers(time),
                        new DenialCorsHeaders(List::of, List::of, List::of),
                        0,
                        false)
                .filter(exchange, passed -> Mono.empty())
                .block();
    }

    private void dispatch(String path) {
        ServerWebExchange dispatched =
                exchange.mutate().request(request -> request.path(path)).build();
        new GateHandlerAdapter(() -> rules, gate, handler -> own, new StandardAnswers(time), () -> List.of(new Usual()))
                .handle(dispatched, this)
                .block();
    }

    private RuleSet compile(Rule.Builder... written) {
        return compiler.compile(
                List.of(written).stream().map(Rule.Builder::build).toList());
    }

    private static Subject fail(RequestView request) {
        throw new IllegalStateException("on purpose: " + request.path());
    }

    private static Rule.Builder rule(String name, String path) {
        return Rule.named(name).paths(path).limits("2/min");
    }

    private DecisionListener listener() {
        return new DecisionListener() {
            @Override
            public boolean quick() {
                return true;
            }

            @Override
            public void decided(String scope, Decision decision, boolean enforced) {
                decided.add(scope);
            }
        };
    }

    private static final class Usual implements HandlerAdapter {

        @Override
        public boolean supports(Object handler) {
            return true;
        }

        @Override
        public Mono<HandlerResult> handle(ServerWebExchange exchange, Object handler) {
            return Mono.empty();
        }
    }
}
