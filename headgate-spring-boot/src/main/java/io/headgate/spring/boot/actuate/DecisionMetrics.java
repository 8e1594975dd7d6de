package io.headgate.spring.boot.actuate;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.http.BoundRule;
import io.headgate.http.DecisionListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Counts decisions as {@code headgate.decisions}, by rule and outcome, and requests without a decision because of a failure as
 * {@code headgate.failures}. Nothing that a client sends becomes a tag.
 */
public final class DecisionMetrics implements DecisionListener {

    private final Supplier<MeterRegistry> registry;
    private final Map<Outcome, Counter> decisions = new ConcurrentHashMap<>();

    private record Outcome(String rule, String outcome) {}

    /** @param registry called on first use, since registries may depend on the beans that they measure */
    public DecisionMetrics(Supplier<MeterRegistry> registry) {
        this.registry = registry;
    }

    /** Registers the counters of a rule, at 0: a rate is only known of a counter that existed before it was first increased. */
    public void expect(BoundRule rule) {
        for (String outcome : rule.enforced() ? Outcomes.ENFORCED : Outcomes.SHADOW) {
            decisions.computeIfAbsent(new Outcome(rule.name(), outcome), this::counter);
        }
        failures(rule.name(), rule.onStoreFailure());
    }

    /** Counting never waits, and every decision must be counted. */
    @Override
    public boolean quick() {
        return true;
    }

    @Override
    public void decided(String scope, Decision decision, boolean enforced) {
        decisions
                .computeIfAbsent(new Outcome(scope, Outcomes.of(decision, enforced)), this::counter)
                .increment();
    }

    private Counter counter(Outcome key) {
        return Counter.builder("headgate.decisions")
                .description("Decisions by rule and outcome")
                .tag("rule", key.rule)
                .tag("outcome", key.outcome)
                .register(registry.get());
    }

    @Override
    public void failed(String scope, FailurePolicy policy, Throwable cause) {
        failures(scope, policy).increment();
    }

    private Counter failures(String rule, FailurePolicy policy) {
        return Counter.builder("headgate.failures")
                .description("Requests that no decision could be made for, by what was done instead")
                .tag("rule", rule)
                .tag("policy", policy.name().toLowerCase(Locale.ROOT))
                .register(registry.get());
    }
}
