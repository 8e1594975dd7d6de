package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The check of one request at its bound rules.
 *
 * <p>There is one loop for both the blocking and the asynchronous walk. It runs on the caller's thread as long as each answer is
 * available at once, which is always so with an in-process store and plans that are known at once. When an answer is pending, a blocking walk waits for it; an
 * asynchronous walk releases the thread and resumes on the thread that completes the answer.
 */
final class RequestCheck {

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());

    /** The subject of all requests whose own subject could not be resolved; they share one budget. */
    private static final Subject SHARED = Subject.of("failed", "*");

    private final RequestView request;
    private final List<BoundRule> boundRules;
    private final Listeners listeners;
    // The decision at each bound rule, and the limiter that made it; null where there was none.
    private final @Nullable Decision[] decisions;
    private final @Nullable RateLimiter[] limiters;
    // The subject at each bound rule, as far as foresee() has resolved it.
    private @Nullable Subject @Nullable [] foreseen;

    private boolean blocking;
    private int at;
    private @Nullable CompletableFuture<Decision> pending;

    RequestCheck(RequestView request, List<BoundRule> boundRules, Listeners listeners) {
        this.request = request;
        this.boundRules = boundRules;
        this.listeners = listeners;
        this.decisions = new Decision[boundRules.size()];
        this.limiters = new RateLimiter[boundRules.size()];
    }

    Verdict walk() {
        blocking = true;
        Verdict verdict = start();
        if (verdict == null) {
            throw new AssertionError("a blocking walk does not stop on the way");
        }
        return verdict;
    }

    CompletableFuture<Verdict> walkAsync() {
        Verdict verdict = start();
        if (verdict != null) {
            return CompletableFuture.completedFuture(verdict);
        }
        CompletableFuture<Verdict> arrival = new CompletableFuture<>();
        resumeLater(arrival);
        return arrival;
    }

    private @Nullable Verdict start() {
        Verdict denial = boundRules.size() == 1 ? null : foresee();
        return denial != null ? denial : go();
    }

    /**
     * The denial of the first bound rule that is already known to deny, else {@code null}. Charging the bound rules before it
     * would be pointless, since the charges would be refunded. So a client that was denied a moment ago causes no calls to a remote
     * store.
     */
    private @Nullable Verdict foresee() {
        for (int i = 0; i < boundRules.size(); i++) {
            BoundRule boundRule = boundRules.get(i);
            Decision known = boundRule.remembers() ? known(boundRule, i) : null;
            if (known != null && !known.allowed()) {
                tell(boundRule, known);
                return Verdict.of(boundRule.rule(), known);
            }
        }
        return null;
    }

    private @Nullable Decision known(BoundRule boundRule, int place) {
        try {
            Subject subject = subject(boundRule);
            if (foreseen == null) {
                foreseen = new Subject[boundRules.size()];
            }
            foreseen[place] = subject;
            return subject instanceof Subject.Present somebody && !boundRule.bypasses(request, subject)
                    ? boundRule.known(somebody)
                    : null;
        } catch (Throwable e) {
            cause(e);
            return null; // the failure is handled when the walk reaches this boundRule
        }
    }

    /** Walks from bound rule to bound rule; returns {@code null} if the answer of one is {@link #pending}. */
    private @Nullable Verdict go() {
        while (at < boundRules.size()) {
            Decision decision = ask(boundRules.get(at));
            if (pending != null) {
                return null;
            }
            Verdict denial = settle(decision);
            if (denial != null) {
                return denial;
            }
        }
        return arrive();
    }

    private void resumeLater(CompletableFuture<Verdict> arrival) {
        CompletableFuture<Decision> answer = pending;
        if (answer == null) {
            throw new AssertionError("nothing to wait for");
        }
        answer.whenComplete((decision, failure) -> {
            try {
                pending = null;
                Verdict verdict = settle(failure == null ? decision : failed(boundRules.get(at), cause(failure)));
                verdict = verdict != null ? verdict : go();
                if (verdict != null) {
                    arrival.complete(verdict);
                } else {
                    resumeLater(arrival);
                }
            } catch (RuntimeException | Error e) {
                arrival.completeExceptionally(e);
                throw e;
            }
        });
    }

    /** The decision of the bound rule; {@code null} if it does not limit this request, or if the answer is {@link #pending}. */
    private @Nullable Decision ask(BoundRule boundRule) {
        try {
            Subject before = foreseen == null ? null : foreseen[at];
            Subject subject = before != null ? before : subject(boundRule);
            if (boundRule.bypasses(request, subject)) {
                return null;
            }
            if (!(subject instanceof Subject.Present somebody)) {
                boolean skip = boundRule.rule().missing() == Rule.Missing.SKIP && subject.equals(Subject.absent());
                return skip ? null : boundRule.aboutNobody();
            }
            long cost = cost(boundRule);
            CompletableFuture<RateLimiter> special = boundRule.limiterOf(somebody, request);
            if (special == null) {
                return take(boundRule.limiter(), somebody, cost);
            }
            if (special.isDone() || blocking) {
                return take(special(boundRule, special), somebody, cost);
            }
            int here = at;
            pending = special.handle((limiter, failure) -> failure == null ? limiter : usual(boundRule, cause(failure)))
                    .thenCompose(limiter -> {
                        limiters[here] = limiter;
                        return limiter.tryAcquireAsync(somebody.text(), cost);
                    });
            return null;
        } catch (Throwable e) {
            return failed(boundRule, cause(e));
        }
    }

    private @Nullable Decision take(RateLimiter limiter, Subject.Present somebody, long cost) {
        limiters[at] = limiter;
        String key = somebody.text();
        if (blocking) {
            return limiter.tryAcquire(key, cost);
        }
        CompletableFuture<Decision> answer = limiter.tryAcquireAsync(key, cost);
        if (answer.isDone()) {
            return answer.join();
        }
        pending = answer;
        return null;
    }

    /** The subject of the request. If the resolver fails and the policy is {@code LOCAL}, it is the {@link #SHARED} one. */
    private Subject subject(BoundRule boundRule) {
        try {
            return boundRule.subject(request);
        } catch (Throwable e) {
            goOn(boundRule, cause(e));
            return SHARED;
        }
    }

    private long cost(BoundRule boundRule) {
        try {
            long cost = boundRule.cost(request);
            RuleValidation.checkCost(cost);
            return cost;
        } catch (Throwable e) {
            goOn(boundRule, cause(e));
            return 1;
        }
    }

    private RateLimiter special(BoundRule boundRule, CompletableFuture<RateLimiter> limiter) {
        try {
            return limiter.join();
        } catch (Throwable e) {
            return usual(boundRule, cause(e));
        }
    }

    private RateLimiter usual(BoundRule boundRule, RuntimeException failure) {
        goOn(boundRule, failure);
        return boundRule.limiter();
    }

    /** Reports the failure of a resolver if the policy is {@code LOCAL}, under which limiting goes on; otherwise rethrows it. */
    private void goOn(BoundRule boundRule, RuntimeException failure) {
        boundRule.warnOf(failure);
        if (boundRule.rule().onStoreFailure() != FailurePolicy.LOCAL) {
            throw failure;
        }
        tellFailure(boundRule, failure);
    }

    private Decision failed(BoundRule boundRule, RuntimeException failure) {
        tellFailure(boundRule, failure);
        return NoDecision.after(failure, boundRule);
    }

    /**
     * Records the decision of the current bound rule and moves on to the next. If an enforced rule denies, refunds the charges so
     * far and returns the verdict.
     */
    private @Nullable Verdict settle(@Nullable Decision decision) {
        BoundRule boundRule = boundRules.get(at);
        if (decision == null || decision.allowed() || !boundRule.enforced()) {
            decisions[at++] = decision;
            return null;
        }
        for (int i = 0; i < at; i++) {
            refund(i);
        }
        tell(boundRule, decision);
        return boundRule.denial(decision);
    }

    private Verdict arrive() {
        Verdict verdict = verdict();
        for (int i = 0; i < decisions.length; i++) {
            Decision decision = decisions[i];
            if (decision != null) {
                tell(boundRules.get(i), decision);
            }
        }
        return verdict;
    }

    private Verdict verdict() {
        if (decisions.length == 1) {
            Decision only = decisions[0];
            return only == null || !boundRules.get(0).enforced()
                    ? Verdict.PASS
                    : Verdict.of(boundRules.get(0).rule(), only);
        }
        List<Verdict.Check> checks = new ArrayList<>(decisions.length);
        for (int i = 0; i < decisions.length; i++) {
            Decision decision = decisions[i];
            if (decision != null && boundRules.get(i).enforced()) {
                checks.add(new Verdict.Check(boundRules.get(i).rule(), decision));
            }
        }
        return Verdict.of(checks);
    }

    private void refund(int i) {
        RateLimiter limiter = limiters[i];
        if (limiter == null || !(decisions[i] instanceof Decision.Allowed receipt)) {
            return;
        }
        BoundRule boundRule = boundRules.get(i);
        try {
            limiter.refundAsync(receipt).whenComplete((done, failure) -> {
                if (failure != null) {
                    tellFailure(boundRule, cause(failure));
                }
            });
        } catch (Throwable e) {
            tellFailure(boundRule, cause(e));
        }
    }

    private void tell(BoundRule boundRule, Decision decision) {
        listeners.decided(boundRule.rule().name(), decision, boundRule.enforced());
        if (!decision.allowed()) {
            listeners.denied(boundRule, decision, request);
        }
    }

    private void tellFailure(BoundRule boundRule, RuntimeException failure) {
        LOG.log(
                System.Logger.Level.DEBUG,
                () -> "rule '" + boundRule.rule().name() + "' could not be checked",
                failure);
        listeners.failed(boundRule.rule().name(), boundRule.rule().onStoreFailure(), failure);
    }

    private static RuntimeException cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Fatal.passOn(cause);
        return cause instanceof RuntimeException known ? known : new StoreException("no decision was made", cause);
    }
}
