package io.headgate.spring.boot.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.headgate.Algorithm;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.algorithm.BuiltIn;
import io.headgate.http.Answers;
import io.headgate.http.CostResolver;
import io.headgate.http.DecisionListener;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.Listeners;
import io.headgate.http.PlanResolver;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import io.headgate.http.Subject;
import io.headgate.http.SubjectResolver;
import io.headgate.http.Verdict;
import io.headgate.memory.MemoryStore;
import io.headgate.spring.KeyEncoder;
import io.headgate.spring.MethodKeyResolver;
import io.headgate.spring.RateLimit;
import io.headgate.spring.RateLimitExceededException;
import io.headgate.spring.RuleStore;
import io.headgate.spring.servlet.GateInterceptor;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.util.ServletRequestPathUtils;

/** MISSION D10: every piece gives way to the user's. */
class ReplaceTest {

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class))
            .withPropertyValues(
                    "headgate.rules[0].name=all", "headgate.rules[0].path=/**", "headgate.rules[0].limits=2/h");

    private final WebApplicationContextRunner web = new WebApplicationContextRunner()
            .withConfiguration(
                    AutoConfigurations.of(HeadgateAutoConfiguration.class, HeadgateServletAutoConfiguration.class))
            .withPropertyValues(
                    "headgate.rules[0].name=all", "headgate.rules[0].path=/**", "headgate.rules[0].limits=2/h");

    @Test
    void takesTheStoreOfTheUser() {
        Store own = new MemoryStore(Headgate.algorithms(), TimeSource.system(), 1);
        application.withBean("own", Store.class, () -> own).run(context -> {
            assertThat(context).getBean(Store.class).isSameAs(own);
            Checks.check(context, request("a"));
            assertThat(((MemoryStore) own).keys()).isEqualTo(1);
        });
    }

    @Test
    void takesTheTimeOfTheUser() {
        ManualTime time = new ManualTime();
        application.withBean(TimeSource.class, () -> time).run(context -> {
            Checks.check(context, request("a"));
            Checks.check(context, request("a"));
            assertThat(Checks.check(context, request("a")).allowed()).isFalse();
            time.advance(Duration.ofMinutes(30));
            assertThat(Checks.check(context, request("a")).allowed()).isTrue();
        });
    }

    @Test
    void takesAlgorithmsOfTheUser() {
        Algorithm<?> builtIn = BuiltIn.algorithms().iterator().next();
        application
                .withBean("renamed", Algorithm.class, () -> new Renamed<>(builtIn, "own"))
                .withPropertyValues("headgate.rules[0].algorithm=own")
                .run(context -> assertThat(context).hasNotFailed());
        application
                .withPropertyValues("headgate.rules[0].algorithm=own")
                .run(context -> assertThat(context).hasFailed());
    }

    @Test
    void takesTheLimitersOfTheUser() {
        List<String> scopes = new ArrayList<>();
        LedgerFactory usual = LedgerFactory.of(Headgate.builder().build());
        application
                .withBean(LedgerFactory.class, () -> (scope, plan, policy) -> {
                    scopes.add(scope);
                    return usual.bind(scope, plan, policy);
                })
                .run(context -> assertThat(scopes).contains("all"));
    }

    @Test
    void takesTheRulesOfTheUser() {
        RuleSource own =
                RuleSource.of(Rule.named("own").paths("/**").limits("1/h").build());
        application
                .withBean(RuleSource.class, () -> own)
                .run(context -> assertThat(verdict(context).rule()).isEqualTo("own"));
        application
                .withBean(RuleStore.class, () -> () -> RuleSet.EMPTY)
                .run(context -> assertThat(verdict(context)).isSameAs(Verdict.PASS));
    }

    @Test
    void takesSubjectsCostsAndPlansOfTheUser() {
        application
                .withBean("tenant", SubjectResolver.class, () -> request -> Subject.of("t"))
                .withBean("heavy", CostResolver.class, () -> request -> 2)
                .withBean("paid", PlanResolver.class, () -> PlanResolver.of(subject -> Optional.of(Plan.parse("5/h"))))
                .withPropertyValues(
                        "headgate.rules[0].subject=tenant",
                        "headgate.rules[0].cost-resolver=heavy",
                        "headgate.rules[0].plan-resolver=paid")
                .run(context ->
                        assertThat(verdict(context).decision().remaining()).isEqualTo(3));
    }

    @Test
    void rejectsResolversThatNobodyCouldMean() {
        for (String name : List.of("ip", "my tenants")) {
            Started.assertStops(
                    application.withBean(name, SubjectResolver.class, () -> request -> Subject.of("t")),
                    "SubjectResolver",
                    "'" + name + "'",
                    "another name");
        }
    }

    @Test
    void takesTheKeysOfTheUser() {
        List<String> seen = new ArrayList<>();
        application
                .withBean(KeyEncoder.class, () -> (scope, subject) -> {
                    seen.add(scope + "|" + subject);
                    return "same";
                })
                .run(context -> {
                    Checks.check(context, request("10.0.0.1"));
                    Checks.check(context, request("10.0.0.2"));
                    assertThat(Checks.check(context, request("10.0.0.3")).allowed())
                            .isFalse();
                    assertThat(seen).contains("all|ip:10.0.0.1");
                });
    }

    @Test
    void takesTheMethodKeysOfTheUser() {
        application
                .withBean(
                        MethodKeyResolver.class,
                        () -> (method, arguments) -> Subject.of(method.getName() + arguments[0]))
                .withBean(Service.class)
                .run(context -> {
                    context.getBean(Service.class).call("ann");
                    context.getBean(Service.class).call("bob");
                    assertThatExceptionOfType(RateLimitExceededException.class)
                            .isThrownBy(() -> context.getBean(Service.class).call("ann"));
                });
    }

    @Test
    void takesTheFailurePolicyOfTheUser() {
        application
                .withBean("own", FailurePolicy.class, () -> FailurePolicy.CLOSED)
                .run(context -> assertThat(context.getBean(RuleStore.class)
                                .get()
                                .boundRules()
                                .get(0)
                                .onStoreFailure())
                        .isEqualTo(FailurePolicy.CLOSED));
    }

    @Test
    void tellsTheListenersOfTheUser() {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        application
                .withBean(DecisionListener.class, () -> (scope, decision, enforced) -> told.add(scope))
                .run(context -> {
                    verdict(context);
                    assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("all");
                });
    }

    @Test
    void takesTheAnswersOfTheUser() {
        Answers teapot = new Answers() {
            @Override
            public void headers(Verdict verdict, BiConsumer<String, String> header) {
                header.accept("X-Own", "yes");
            }

            @Override
            public int status(Verdict denial) {
                return 418;
            }

            @Override
            public String contentType() {
                return "text/plain";
            }

            @Override
            public String body(Verdict denial) {
                return "short and stout";
            }
        };
        web.withBean(Answers.class, () -> teapot).run(context -> {
            GateInterceptor interceptor = context.getBean(GateInterceptor.class);
            MockHttpServletResponse passed = new MockHttpServletResponse();
            MockHttpServletResponse denied = new MockHttpServletResponse();
            assertThat(interceptor.preHandle(arrived(), passed, this)).isTrue();
            interceptor.preHandle(arrived(), new MockHttpServletResponse(), this);
            assertThat(interceptor.preHandle(arrived(), denied, this)).isFalse();
            assertThat(passed.getHeader("X-Own")).isEqualTo("yes");
            assertThat(denied.getStatus()).isEqualTo(418);
            assertThat(denied.getContentAsString()).isEqualTo("short and stout");
        });
    }

    @Test
    void takesTheGateAndTheRulesOfTheUser() {
        BlockingQueue<String> told = new LinkedBlockingQueue<>();
        DecisionListener own = (rule, decision, enforced) -> told.add(rule);
        web.withBean(Gate.class, () -> new Gate(Listeners.of(List.of(own)))).run(context -> {
            context.getBean(GateInterceptor.class).preHandle(arrived(), new MockHttpServletResponse(), this);
            assertThat(told.poll(20, TimeUnit.SECONDS)).isEqualTo("all");
        });
        web.withBean(RuleStore.class, () -> () -> RuleSet.EMPTY).run(context -> {
            GateInterceptor interceptor = context.getBean(GateInterceptor.class);
            for (int i = 0; i < 3; i++) {
                assertThat(interceptor.preHandle(arrived(), new MockHttpServletResponse(), this))
                        .isTrue();
            }
        });
    }

    @Test
    void guardsTheStoreOfTheUserUnlessItIsInThisProcess() {
        application
                .withBean("own", Store.class, UnreliableStore::new)
                .withPropertyValues("headgate.instances=1")
                .run(context ->
                        assertThat(context.getBean(Headgate.class).guard()).isPresent());
        application
                .withBean("own", Store.class, () -> new MemoryStore(Headgate.algorithms(), TimeSource.system(), 1))
                .run(context ->
                        assertThat(context.getBean(Headgate.class).guard()).isEmpty());
    }

    /** A request as Spring hands it to interceptors. */
    private static MockHttpServletRequest arrived() {
        MockHttpServletRequest request = new MockHttpServletRequest("GET", "/x");
        ServletRequestPathUtils.parseAndCache(request);
        return request;
    }

    private static Verdict verdict(BeanFactory beans) {
        return Checks.check(beans, request("10.0.0.1"));
    }

    private static RequestView request(String peer) {
        return new RequestView() {
            @Override
            public String method() {
                return "GET";
            }

            @Override
            public String path() {
                return "/x";
            }

            @Override
            public List<String> headers(String name) {
                return List.of();
            }

            @Override
            public String peerAddress() {
                return peer;
            }

            @Override
            public String principal() {
                return null;
            }

            @Override
            public String route() {
                return null;
            }
        };
    }

    static class Service {

        @RateLimit("1/h")
        public void call(String user) {}
    }

    /** An algorithm under another id. */
    record Renamed<S>(Algorithm<S> algorithm, String id) implements Algorithm<S> {

        @Override
        public S fresh(Limit limit, long nowMicros) {
            return algorithm.fresh(limit, nowMicros);
        }

        @Override
        public long waitMicros(S state, Limit limit, long cost, long nowMicros) {
            return algorithm.waitMicros(state, limit, cost, nowMicros);
        }

        @Override
        public S take(S state, Limit limit, long cost, long nowMicros) {
            return algorithm.take(state, limit, cost, nowMicros);
        }

        @Override
        public long[] encode(S state) {
            return algorithm.encode(state);
        }

        @Override
        public S decode(long[] numbers) {
            return algorithm.decode(numbers);
        }
    }
}
