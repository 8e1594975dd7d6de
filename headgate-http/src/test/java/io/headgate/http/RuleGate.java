package io.headgate.http;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Finds the rules of a request in the handler stage and checks them, as adapters do. */
record RuleGate(Supplier<? extends RuleSet> rules, Gate gate) {

    RuleGate(Supplier<? extends RuleSet> rules, List<? extends DecisionListener> listeners) {
        this(rules, new Gate(Listeners.of(listeners)));
    }

    List<BoundRule> match(RequestView request) {
        return rules.get().match(Rule.Stage.HANDLER, request);
    }

    Verdict check(RequestView request) {
        return gate.check(request, match(request));
    }

    CompletableFuture<Verdict> checkAsync(RequestView request) {
        return gate.checkAsync(request, match(request));
    }
}
