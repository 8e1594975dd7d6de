package io.headgate.http;

import static org.assertj.core.api.Assertions.tuple;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.testkit.ManualTime;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.groups.Tuple;
import org.jspecify.annotations.Nullable;

/** Gates over rules that are about everything, and what their listener was told. */
abstract class GateFixture {

    final ManualTime time = new ManualTime();
    final Headgate headgate = Headgate.builder().timeSource(time).build();
    final RecordedDecisions told = new RecordedDecisions();

    /** Both ways of asking must answer alike. */
    enum Way {
        BLOCKING,
        ASYNC;

        Verdict check(RuleGate gate, RequestView request) {
            return this == BLOCKING
                    ? gate.check(request)
                    : gate.checkAsync(request).join();
        }
    }

    RuleGate gate(BoundRule... boundRules) {
        RuleSet rules = new FixedRules(boundRules);
        return new RuleGate(() -> rules, List.of(told));
    }

    BoundRule bind(Rule rule) {
        return bind(rule, null, null);
    }

    BoundRule bind(Rule rule, Headgate headgate) {
        return BoundRule.of(rule, plan(rule), new PeerSubjects(), null, null, null, LedgerFactory.of(headgate), time);
    }

    BoundRule bind(Rule rule, @Nullable CostResolver cost, @Nullable PlanResolver plans) {
        return BoundRule.of(rule, plan(rule), new PeerSubjects(), cost, plans, null, LedgerFactory.of(headgate), time);
    }

    private static Plan plan(Rule rule) {
        return Plan.parse(rule.limits().toArray(String[]::new));
    }

    /** Rules that are about everything. */
    record FixedRules(List<BoundRule> boundRules) implements RuleSet {

        FixedRules(BoundRule... boundRules) {
            this(List.of(boundRules));
        }

        @Override
        public List<BoundRule> match(Rule.Stage stage, String method, String path) {
            return boundRules;
        }

        @Override
        public Explanation explain(String method, String path) {
            throw new AssertionError("requests need no explanation");
        }

        @Override
        public List<Rule> rules() {
            throw new AssertionError("requests need no rules as they were written");
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
                if (words.contains("contradiction")) {
                    return Subject.unclear();
                }
                return peer == null || words.contains("nobody") ? Subject.absent() : Subject.of("test", peer);
            };
        }

        @Override
        public Bypass bypass(List<String> entries, List<String> words) {
            return (request, subject) -> entries.contains(String.valueOf(request.peerAddress()));
        }

        @Override
        public boolean clientControlled(List<String> words) {
            return false;
        }
    }

    static final class RecordedDecisions implements DecisionListener {

        final List<Tuple> decisions = new ArrayList<>();
        final List<String> failures = new ArrayList<>();

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
}
