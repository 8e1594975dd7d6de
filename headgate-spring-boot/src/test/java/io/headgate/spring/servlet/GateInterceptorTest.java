package io.headgate.spring.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.http.BoundRule;
import io.headgate.http.DecisionListener;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Listeners;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import io.headgate.testkit.ManualTime;
import jakarta.servlet.DispatcherType;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.util.ServletRequestPathUtils;

/** Requests that come by several times, whatever becomes of their attributes in between. */
class GateInterceptorTest {

    private final ManualTime time = new ManualTime();
    private final RuleCompiler compiler = new RuleCompiler(
            StandardSubjects.builder().build(),
            LedgerFactory.of(Headgate.builder().timeSource(time).build()),
            time,
            Map.of(),
            Map.of());
    private final List<String> decided = new ArrayList<>();
    private final Gate gate = new Gate(Listeners.of(List.of(listener())));
    private final MockHttpServletRequest request = new MockHttpServletRequest("GET", "/page");
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    private RuleSet rules = RuleSet.EMPTY;
    private List<BoundRule> own = List.of();

    @Test
    void leavesNothingOnRequestsThatNoRuleIsAbout() throws Exception {
        rules = compile(rule("other", "/other"));
        List<String> before = attributes();

        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();

        assertThat(attributes()).isEqualTo(before);
        assertThat(response.getHeaderNames()).isEmpty();
    }

    @Test
    void chargesOnceWhateverTheDispatches() throws Exception {
        rules = compile(rule("all", "/**"), rule("target", "/target").match(Rule.Match.ALL));
        own = compile(rule("own", "/none")).boundRules();

        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();
        assertThat(decided).containsExactly("all", "own");
        assertThat(dispatch(DispatcherType.FORWARD, "/target")).isTrue();
        assertThat(dispatch(DispatcherType.ASYNC, "/target")).isTrue();
        assertThat(dispatch(DispatcherType.ASYNC, "/page")).isTrue();
        assertThat(decided).containsExactly("all", "own", "target");
        assertThat(dispatch(DispatcherType.ERROR, "/error")).isTrue();
        assertThat(decided).containsExactly("all", "own", "target");
    }

    /** It says nothing that a client is told, and yet it has counted the request. */
    @Test
    void chargesOnceWhatIsOnlyTriedOut() throws Exception {
        rules = compile(rule("shadow", "/**").behavior(Rule.Behavior.SHADOW));

        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();
        assertThat(dispatch(DispatcherType.ASYNC, "/page")).isTrue();

        assertThat(decided).containsExactly("shadow");
        assertThat(response.getHeaderNames()).isEmpty();
    }

    @Test
    void chargesARuleThatCameIntoForceOnTheWay() throws Exception {
        rules = compile(rule("all", "/**"));
        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();

        rules = compile(rule("all", "/**"), rule("late", "/page").match(Rule.Match.ALL));
        assertThat(dispatch(DispatcherType.ASYNC, "/page")).isTrue();

        assertThat(decided).containsExactly("all", "late");
    }

    /** Nothing was charged, so nothing is paid for: not even where the attributes of an include are kept. */
    @Test
    void deniesAgainWhatItHasDenied() throws Exception {
        rules = compile(rule("part", "/part").limits("0/min"));

        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();
        assertThat(dispatch(DispatcherType.INCLUDE, "/part")).isFalse();
        assertThat(dispatch(DispatcherType.INCLUDE, "/part")).isFalse();

        assertThat(response.getStatus()).isEqualTo(200);
        assertThat(response.getContentAsString()).isEmpty();
    }

    /** What was told before a denial is still told of what passes after it. */
    @Test
    void tellsNothingOfADeniedPartOnceAnotherPasses() throws Exception {
        rules = compile(rule("page", "/page"), rule("part", "/part").limits("0/min"), rule("rest", "/rest"));

        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();
        assertThat(dispatch(DispatcherType.INCLUDE, "/part")).isFalse();
        assertThat(dispatch(DispatcherType.FORWARD, "/rest")).isTrue();

        assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"page\";q=2;w=60, \"rest\";q=2;w=60");
    }

    @Test
    void replacesWhatOthersToldUnderTheSameNames() throws Exception {
        rules = compile(rule("page", "/page"));
        response.addHeader("X-RateLimit-Limit", "17");
        response.addHeader("ratelimit-policy", "\"theirs\";q=17");

        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();

        assertThat(response.getHeaders("X-RateLimit-Limit")).containsExactly("2");
        assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"page\";q=2;w=60");
    }

    /** The filter knows one part of it, the interceptor the other. */
    @Test
    void tellsWhatStandsAtBothStages() throws Exception {
        rules = compile(rule("early", "/page").stage(Rule.Stage.FILTER), rule("late", "/page"));
        DenialCorsHeaders cors = new DenialCorsHeaders(request -> List.of(), List::of, List::of);

        new GateFilter(() -> rules, gate, new StandardAnswers(time), cors)
                .doFilter(request, response, (passed, answered) -> {});
        assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"early\";q=2;w=60");
        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();

        assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"early\";q=2;w=60, \"late\";q=2;w=60");
        assertThat(decided).containsExactly("early", "late");
    }

    /** What the filter decided in shadow mode is not decided again, either. */
    @Test
    void chargesOnceWhatTheFilterHasCharged() throws Exception {
        rules = compile(
                rule("early", "/page").stage(Rule.Stage.FILTER),
                rule("shadow", "/page")
                        .stage(Rule.Stage.FILTER)
                        .behavior(Rule.Behavior.SHADOW)
                        .priority(1));
        own = rules.boundRules();

        new GateFilter(
                        () -> rules,
                        gate,
                        new StandardAnswers(time),
                        new DenialCorsHeaders(request -> List.of(), List::of, List::of))
                .doFilter(request, response, (passed, answered) -> {});
        assertThat(decided).containsExactlyInAnyOrder("early", "shadow");
        assertThat(dispatch(DispatcherType.REQUEST, "/page")).isTrue();

        assertThat(decided).hasSize(2);
        assertThat(response.getHeaders("RateLimit-Policy")).containsExactly("\"early\";q=2;w=60");
    }

    private boolean dispatch(DispatcherType type, String path) throws Exception {
        request.setDispatcherType(type);
        request.setRequestURI(path);
        ServletRequestPathUtils.parseAndCache(request);
        return new GateInterceptor(() -> rules, gate, handler -> own, new StandardAnswers(time))
                .preHandle(request, response, this);
    }

    private List<String> attributes() {
        ServletRequestPathUtils.parseAndCache(request);
        return Collections.list(request.getAttributeNames());
    }

    private RuleSet compile(Rule.Builder... written) {
        return compiler.compile(
                List.of(written).stream().map(Rule.Builder::build).toList());
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
}
