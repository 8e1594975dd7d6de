package io.headgate.http;

import io.headgate.DecisionListener;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The one pass that a request makes: which rules, who, how much, may it, and what is to be told. Every adapter asks here and
 * nowhere else.
 *
 * <pre>{@code
 * Verdict verdict = gate.check(view);
 * if (!verdict.allowed()) { ... 429 ... }
 * }</pre>
 *
 * <p>Rules are charged one after the other. When one refuses, those that were charged before are refunded and the verdict is
 * the refusal; nobody is ever over-admitted. Whatever fails on the way, the store or a resolver, is settled by the rule's
 * {@link io.headgate.FailurePolicy} and never by an exception; and {@link Listeners} neither change nor delay it. Thread-safe.
 */
public final class Gate {

    private static final CompletableFuture<Verdict> PASSED = CompletableFuture.completedFuture(Verdict.PASS);

    private final Supplier<RuleSet> rules;
    private final Rule.Stage stage;
    private final Listeners listeners;

    /**
     * A gate for one stage.
     *
     * @param rules the rules in force, read once for each check
     */
    public Gate(Supplier<RuleSet> rules, Rule.Stage stage, Listeners listeners) {
        this.rules = Objects.requireNonNull(rules, "rules");
        this.stage = Objects.requireNonNull(stage, "stage");
        this.listeners = Objects.requireNonNull(listeners, "listeners");
    }

    /** A gate with listeners that no other gate has. */
    public Gate(Supplier<RuleSet> rules, Rule.Stage stage, List<? extends DecisionListener> listeners) {
        this(rules, stage, Listeners.of(listeners));
    }

    /** Whether every request passes as the rules are now. An adapter may then do without looking at it. */
    public boolean idle() {
        return rules.get().idle(stage);
    }

    /** Where the request has to stop as the rules are now. */
    public List<Checkpoint> match(RequestView request) {
        return rules.get().match(stage, request.method(), request.path());
    }

    /** Checks the request, waiting for the store if it is elsewhere. */
    public Verdict check(RequestView request) {
        return check(request, match(request));
    }

    /** As {@link #check(RequestView)} at these checkpoints, whatever the rules are. */
    public Verdict check(RequestView request, List<Checkpoint> checkpoints) {
        return checkpoints.isEmpty() ? Verdict.PASS : new Passage(request, checkpoints, listeners).walk();
    }

    /** As {@link #check(RequestView)}, without holding the calling thread. Done already if nothing had to be waited for. */
    public CompletableFuture<Verdict> checkAsync(RequestView request) {
        return checkAsync(request, match(request));
    }

    /** As {@link #checkAsync(RequestView)} at these checkpoints, whatever the rules are. */
    public CompletableFuture<Verdict> checkAsync(RequestView request, List<Checkpoint> checkpoints) {
        return checkpoints.isEmpty() ? PASSED : new Passage(request, checkpoints, listeners).walkAsync();
    }
}
