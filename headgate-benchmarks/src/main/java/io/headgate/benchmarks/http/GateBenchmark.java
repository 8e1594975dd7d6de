package io.headgate.benchmarks.http;

import io.headgate.Headgate;
import io.headgate.TimeSource;
import io.headgate.http.BoundRule;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.RequestView;
import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.http.Verdict;
import io.headgate.http.response.StandardAnswers;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.http.subject.StandardSubjects;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Measures one request through the gate with the in-process store, and the lookup of rules alone. The work of an adapter to create
 * a {@link RequestView} is not included.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class GateBenchmark {

    /** A request that one rule matches; it is always allowed. */
    @Benchmark
    public Verdict oneRule(Requests requests) {
        Verdict verdict = requests.check(requests.limited);
        if (!verdict.allowed() || verdict.rule() == null) {
            throw new AssertionError(verdict);
        }
        return verdict;
    }

    /** The same request with all headers written. */
    @Benchmark
    public Verdict oneRuleAndHeaders(Requests requests, Blackhole hole) {
        Verdict verdict = oneRule(requests);
        requests.answers.headers(verdict, (name, value) -> hole.consume(value));
        return verdict;
    }

    /** A request that a rule and a ceiling over it match. */
    @Benchmark
    public Verdict twoRules(Requests requests) {
        Verdict verdict = requests.check(requests.limitedTwice);
        if (verdict.checks().size() != 2) {
            throw new AssertionError(verdict);
        }
        return verdict;
    }

    /** A request that no rule matches. */
    @Benchmark
    public Verdict noRule(Requests requests) {
        return requests.check(requests.free);
    }

    /** Looks up many rules in turn, all three segments deep, so that the processor's caches do not hold the one that is next. */
    @Benchmark
    public List<BoundRule> lookupEach(ManyRules rules) {
        return rules.set.match(Rule.Stage.HANDLER, "GET", rules.nextPath());
    }

    /** Looks up the same rule again and again: the time of the lookup itself. */
    @Benchmark
    public List<BoundRule> lookupOne(ManyRules rules) {
        return rules.set.match(Rule.Stage.HANDLER, "GET", rules.onePath);
    }

    /** A gate with a handful of rules. */
    @State(Scope.Benchmark)
    public static class Requests {

        final RuleSet rules = handful();
        final Gate gate = new Gate();
        final StandardAnswers answers = new StandardAnswers(TimeSource.system());
        final RequestView limited = new Request("/api/orders/17");
        final RequestView limitedTwice = new Request("/search/orders");
        final RequestView free = new Request("/static/logo.png");

        Verdict check(RequestView request) {
            return gate.check(request, rules.match(Rule.Stage.HANDLER, request));
        }
    }

    /** Many rules whose patterns differ in one segment. */
    @State(Scope.Benchmark)
    @SuppressWarnings("NullAway.Init")
    public static class ManyRules {

        @Param({"10", "10000"})
        public int rules;

        RuleSet set;
        String onePath;
        private String[] paths;
        private int next;

        @Setup
        public void compileRules() {
            List<Rule> written = new ArrayList<>();
            paths = new String[rules];
            for (int i = 0; i < rules; i++) {
                String resource = "/api/resource" + 7919L * i % 10_007;
                written.add(rule("rule" + i, resource + "/{id}").build());
                paths[i] = resource + "/" + i;
            }
            set = compile(written);
            onePath = paths[rules / 2];
        }

        String nextPath() {
            int i = next;
            next = i + 1 == paths.length ? 0 : i + 1;
            return paths[i];
        }
    }

    /** A few rules, none of which matches all requests. */
    static RuleSet handful() {
        return compile(List.of(
                rule("api", "/api/**").build(),
                rule("login", "/login").methods("POST").build(),
                rule("search", "/search/**").build(),
                rule("ceiling", "/search/**").match(Rule.Match.ALL).build()));
    }

    private static Rule.Builder rule(String name, String path) {
        return Rule.named(name).paths(path).limits("1000000000/s");
    }

    private static RuleSet compile(List<Rule> rules) {
        return new RuleCompiler(
                        StandardSubjects.builder().build(),
                        LedgerFactory.of(Headgate.builder().build()),
                        TimeSource.system(),
                        Map.of(),
                        Map.of())
                .compile(rules);
    }

    private record Request(String path) implements RequestView {

        @Override
        public String method() {
            return "GET";
        }

        @Override
        public List<String> headers(String name) {
            return List.of();
        }

        @Override
        public String peerAddress() {
            return "203.0.113.7";
        }

        @Override
        public @Nullable String principal() {
            return null;
        }

        @Override
        public @Nullable String route() {
            return null;
        }
    }
}
