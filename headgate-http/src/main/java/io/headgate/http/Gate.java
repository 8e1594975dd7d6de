package io.headgate.http;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;

/**
 * Checks requests and method calls against bound rules. Every adapter finds the rules with {@link RuleSet#match} and checks them here.
 *
 * <pre>{@code
 * Verdict verdict = gate.check(view, rules.match(Rule.Stage.HANDLER, view));
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

    private final Listeners listeners;

    public Gate(Listeners listeners) {
        this.listeners = Objects.requireNonNull(listeners, "listeners");
    }

    /** Creates a gate without listeners. */
    public Gate() {
        this(Listeners.NONE);
    }

    /** Checks the request. Blocks until a remote store has answered. */
    public Verdict check(RequestView request, List<BoundRule> rules) {
        return rules.isEmpty() ? Verdict.PASS : new RequestCheck(request, rules, listeners).check();
    }

    /** As {@link #check}, without blocking. The future is already complete if there was nothing to wait for. */
    public CompletableFuture<Verdict> checkAsync(RequestView request, List<BoundRule> rules) {
        return rules.isEmpty() ? PASSED : new RequestCheck(request, rules, listeners).checkAsync();
    }
}
