package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The check of one request at its bound rules.
 *
 * <p>There is one loop for both the blocking and the asynchronous check. It runs on the caller's thread as long as each decision is
 * available at once, which is always so with an in-process store and plans that are known at once. When a decision is pending, a
 * blocking check waits for it; an asynchronous check releases the thread and resumes on the thread that completes the decision.
 */
final class RequestCheck {

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());

    /** The subject of all requests whose own subject could not be resolved; they share one budget. */
    private static final Subject UNRESOLVED = Subject.of("failed", "*");

    private final RequestView request;
    private final List<BoundRule> rules;
    private final Listeners listeners;
    // The decision of each rule, and the budget that it was made on; null where there was none.
    private final @Nullable Decision[] decisions;
    private final @Nullable Budget[] budgets;
    // The subject at each rule, as far as rememberedDenial() has resolved it.
    private @Nullable Subject @Nullable [] subjects;

    private boolean blocking;
    private int current;
    private @Nullable CompletableFuture<Decision> pending;

    RequestCheck(RequestView request, List<BoundRule> rules, Listeners listeners) {
        this.request = request;
        this.rules = rules;
        this.listeners = listeners;
        this.decisions = new Decision[rules.size()];
        this.budgets = new Budget[rules.size()];
    }

    Verdict check() {
        blocking = true;
        Verdict verdict = start();
        if (verdict == null) {
            throw new AssertionError("a blocking check has nothing pending");
        }
        return verdict;
    }

    CompletableFuture<Verdict> checkAsync() {
        Verdict verdict = start();
        if (verdict != null) {
            return CompletableFuture.completedFuture(verdict);
        }
        CompletableFuture<Verdict> result = new CompletableFuture<>();
        resumeWhenDecided(result);
        return result;
    }

    private @Nullable Verdict start() {
        Verdict denial = rules.size() == 1 ? null : rememberedDenial();
        return denial != null ? denial : checkRemaining();
    }

    /**
     * The denial of the first rule that is already known to deny, else {@code null}. Charging the rules before it would be pointless,
     * since the charges would be refunded. So a client that was denied a moment ago causes no calls to a remote store.
     */
    private @Nullable Verdict rememberedDenial() {
        for (int i = 0; i < rules.size(); i++) {
            BoundRule rule = rules.get(i);
            Decision known = rule.remembersDenials() ? remembered(rule, i) : null;
            if (known != null && !known.allowed()) {
                notifyDecided(rule, known);
                return Verdict.of(rule.name(), known);
            }
        }
        return null;
    }

    private @Nullable Decision remembered(BoundRule rule, int index) {
        try {
            Subject subject = subject(rule);
            if (subjects == null) {
                subjects = new Subject[rules.size()];
            }
            subjects[index] = subject;
            return subject instanceof Subject.Present who && !rule.bypasses(request, subject)
                    ? rule.remembered(who)
                    : null;
        } catch (Throwable e) {
            cause(e);
            return null; // the failure is handled when this rule is checked
        }
    }

    /** Checks rule after rule from the current one on; returns {@code null} if a decision is {@link #pending}. */
    private @Nullable Verdict checkRemaining() {
        while (current < rules.size()) {
            Decision decision = decide(rules.get(current));
            if (pending != null) {
                return null;
            }
            Verdict denial = record(decision);
            if (denial != null) {
                return denial;
            }
        }
        return allowed();
    }

    private void resumeWhenDecided(CompletableFuture<Verdict> result) {
        CompletableFuture<Decision> answer = pending;
        if (answer == null) {
            throw new AssertionError("nothing is pending");
        }
        answer.whenComplete((decision, failure) -> {
            try {
                pending = null;
                Verdict verdict = record(failure == null ? decision : failed(rules.get(current), cause(failure)));
                verdict = verdict != null ? verdict : checkRemaining();
                if (verdict != null) {
                    result.complete(verdict);
                } else {
                    resumeWhenDecided(result);
                }
            } catch (RuntimeException | Error e) {
                result.completeExceptionally(e);
                throw e;
            }
        });
    }

    /** The decision of the rule; {@code null} if it does not limit this request, or if the decision is {@link #pending}. */
    private @Nullable Decision decide(BoundRule rule) {
        try {
            Subject known = subjects == null ? null : subjects[current];
            Subject subject = known != null ? known : subject(rule);
            if (rule.bypasses(request, subject)) {
                return null;
            }
            if (!(subject instanceof Subject.Present who)) {
                boolean skip = rule.missing() == Rule.Missing.SKIP && subject.equals(Subject.absent());
                return skip ? null : rule.missingSubject();
            }
            long cost = cost(rule);
            CompletableFuture<Budget> own = rule.ownBudget(who, request);
            if (own == null) {
                return take(rule.budget(), who, cost);
            }
            if (own.isDone() || blocking) {
                return take(budget(rule, own), who, cost);
            }
            int index = current;
            pending = own.handle((budget, failure) -> failure == null ? budget : budgetAfter(cause(failure), rule))
                    .thenCompose(budget -> {
                        budgets[index] = budget;
                        return budget.ledger().applyAsync(who.text(), Operation.Take.of(cost));
                    });
            return null;
        } catch (Throwable e) {
            return failed(rule, cause(e));
        }
    }

    private @Nullable Decision take(Budget budget, Subject.Present who, long cost) {
        budgets[current] = budget;
        Ledger ledger = budget.ledger();
        Operation take = Operation.Take.of(cost);
        boolean asked = subjects != null && subjects[current] != null; // by rememberedDenial()
        Decision known = asked ? null : ledger.known(who.text(), take);
        if (known != null || blocking) {
            return known != null ? known : ledger.apply(who.text(), take);
        }
        CompletableFuture<Decision> answer = ledger.applyAsync(who.text(), take);
        if (answer.isDone()) {
            return answer.join();
        }
        pending = answer;
        return null;
    }

    /** The subject of the request. If the resolver fails and the policy is {@code LOCAL}, it is {@link #UNRESOLVED}. */
    private Subject subject(BoundRule rule) {
        try {
            return rule.subject(request);
        } catch (Throwable e) {
            reportIfLocal(cause(e), rule);
            return UNRESOLVED;
        }
    }

    private long cost(BoundRule rule) {
        try {
            long cost = rule.cost(request);
            RuleValidation.checkCost(cost);
            return cost;
        } catch (Throwable e) {
            reportIfLocal(cause(e), rule);
            return 1;
        }
    }

    private Budget budget(BoundRule rule, CompletableFuture<Budget> own) {
        try {
            return own.join();
        } catch (Throwable e) {
            return budgetAfter(cause(e), rule);
        }
    }

    private Budget budgetAfter(RuntimeException failure, BoundRule rule) {
        reportIfLocal(failure, rule);
        return rule.budget();
    }

    /** Reports the failure of a resolver if the policy is {@code LOCAL}, under which limiting goes on; otherwise rethrows it. */
    private void reportIfLocal(RuntimeException failure, BoundRule rule) {
        rule.warnOfResolver(failure);
        if (rule.onStoreFailure() != FailurePolicy.LOCAL) {
            throw failure;
        }
        notifyFailed(rule, failure);
    }

    private Decision failed(BoundRule rule, RuntimeException failure) {
        notifyFailed(rule, failure);
        return rule.failed(failure);
    }

    /**
     * Records the decision of the current rule and moves on to the next. If an enforced rule denies, refunds the charges so far and
     * returns the verdict.
     */
    private @Nullable Verdict record(@Nullable Decision decision) {
        BoundRule rule = rules.get(current);
        if (decision == null || decision.allowed() || !rule.enforced()) {
            decisions[current++] = decision;
            return null;
        }
        for (int i = 0; i < current; i++) {
            refund(i);
        }
        notifyDecided(rule, decision);
        return rule.denial(decision);
    }

    private Verdict allowed() {
        Verdict verdict = verdict();
        for (int i = 0; i < decisions.length; i++) {
            Decision decision = decisions[i];
            if (decision != null) {
                notifyDecided(rules.get(i), decision);
            }
        }
        return verdict;
    }

    private Verdict verdict() {
        if (decisions.length == 1) {
            BoundRule only = rules.get(0);
            Decision decision = decisions[0];
            return decision == null || !only.enforced() ? Verdict.PASS : Verdict.of(only.name(), decision);
        }
        List<Verdict.Check> checks = new ArrayList<>(decisions.length);
        for (int i = 0; i < decisions.length; i++) {
            Decision decision = decisions[i];
            if (decision != null && rules.get(i).enforced()) {
                checks.add(new Verdict.Check(rules.get(i).name(), decision));
            }
        }
        return Verdict.of(checks);
    }

    private void refund(int index) {
        Budget budget = budgets[index];
        if (budget == null || !(decisions[index] instanceof Decision.Allowed receipt) || receipt.refundable() == 0) {
            return;
        }
        BoundRule rule = rules.get(index);
        try {
            Operation refund = new Operation.Refund(receipt);
            budget.ledger().applyAsync(receipt.subject(), refund).whenComplete((done, failure) -> {
                if (failure != null) {
                    notifyFailed(rule, cause(failure));
                }
            });
        } catch (Throwable e) {
            notifyFailed(rule, cause(e));
        }
    }

    private void notifyDecided(BoundRule rule, Decision decision) {
        listeners.decided(rule.name(), decision, rule.enforced());
        if (!decision.allowed()) {
            listeners.denied(rule, decision, request);
        }
    }

    private void notifyFailed(BoundRule rule, RuntimeException failure) {
        LOG.log(System.Logger.Level.DEBUG, () -> "rule '" + rule.name() + "' could not be checked", failure);
        listeners.failed(rule.name(), rule.onStoreFailure(), failure);
    }

    private static RuntimeException cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Fatal.rethrow(cause);
        return cause instanceof RuntimeException known ? known : new StoreException("no decision was made", cause);
    }
}
