package io.headgate.http;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Checks a request: finds the rules, the subject and the cost, asks the limiters, and reports the decisions. Every adapter checks
 * its requests here and nowhere else.
 *
 * <pre>{@code
 * Verdict verdict = gate.check(view);
 * if (!verdict.allowed()) { ... 429 ... }
 * }</pre>
 *
 * <p>The request is charged to one rule after the other. When a rule denies it, the charges to the earlier rules are refunded and
 * the verdict is that denial, so charging and refunding never exceeds the limits. If the store or a resolver fails, the
 * {@link io.headgate.FailurePolicy} of the rule decides; no exception reaches the caller. {@link Listeners} neither change nor
 * delay a verdict. Thread-safe.
 */
public final class Gate {

    private static final CompletableFuture<Verdict> PASSED = CompletableFuture.completedFuture(Verdict.PASS);

    private final Supplier<RuleSet> rules;
    private final Rule.Stage stage;
    private final Listeners listeners;

    /**
     * Creates a gate for one stage.
     *
     * @param rules supplies the rules in force; called once for each check
     */
    public Gate(Supplier<RuleSet> rules, Rule.Stage stage, Listeners listeners) {
        this.rules = Objects.requireNonNull(rules, "rules");
        this.stage = Objects.requireNonNull(stage, "stage");
        this.listeners = Objects.requireNonNull(listeners, "listeners");
    }

    /** Creates a gate that shares its listeners with no other gate. */
    public Gate(Supplier<RuleSet> rules, Rule.Stage stage, List<? extends DecisionListener> listeners) {
        this(rules, stage, Listeners.of(listeners));
    }

    /** Whether the rules in force have none for this stage. Every request then passes, and an adapter need not look at it. */
    public boolean idle() {
        return rules.get().idle(stage);
    }

    /** The bound rules that the request must pass under the rules in force: those of its path, in every way to read it. */
    public List<BoundRule> match(RequestView request) {
        return rules.get().matchReadings(stage, request.method(), request.path());
    }

    /** Checks the request. Blocks until a remote store has answered. */
    public Verdict check(RequestView request) {
        return check(request, match(request));
    }

    /** As {@link #check(RequestView)}, but at the given bound rules instead of those that match. */
    public Verdict check(RequestView request, List<BoundRule> boundRules) {
        return boundRules.isEmpty() ? Verdict.PASS : new RequestCheck(request, boundRules, listeners).walk();
    }

    /** As {@link #check(RequestView)}, without blocking. The future is already complete if there was nothing to wait for. */
    public CompletableFuture<Verdict> checkAsync(RequestView request) {
        return checkAsync(request, match(request));
    }

    /** As {@link #checkAsync(RequestView)}, but at the given bound rules instead of those that match. */
    public CompletableFuture<Verdict> checkAsync(RequestView request, List<BoundRule> boundRules) {
        return boundRules.isEmpty() ? PASSED : new RequestCheck(request, boundRules, listeners).walkAsync();
    }
}
