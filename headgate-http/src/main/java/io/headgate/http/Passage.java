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
 * One request on its way through its checkpoints.
 *
 * <p>There is one loop. It runs on the caller's thread as long as answers are there at once, which with a store in process is
 * always; when one is not, a blocking walk waits for it, and another leaves the thread and goes on where the answer arrives.
 */
final class Passage {

    private static final System.Logger LOG = System.getLogger(Gate.class.getName());

    /** Whom requests share a budget with whose subject could not be found out. */
    private static final Subject SHARED = Subject.of("failed", "*");

    private final RequestView request;
    private final List<Checkpoint> checkpoints;
    private final Listeners listeners;
    // What was decided at each checkpoint, and by whom; null where nothing was.
    private final @Nullable Decision[] decisions;
    private final @Nullable RateLimiter[] limiters;
    // Who it is at each checkpoint, as far as that was found out before its turn.
    private @Nullable Subject @Nullable [] foreseen;

    private boolean blocking;
    private int at;
    private @Nullable CompletableFuture<Decision> pending;

    Passage(RequestView request, List<Checkpoint> checkpoints, Listeners listeners) {
        this.request = request;
        this.checkpoints = checkpoints;
        this.listeners = listeners;
        this.decisions = new Decision[checkpoints.size()];
        this.limiters = new RateLimiter[checkpoints.size()];
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
        Verdict refusal = checkpoints.size() == 1 ? null : foresee();
        return refusal != null ? refusal : go();
    }

    /**
     * The refusal of a checkpoint that is known to refuse: what is charged before it would only be refunded. So a client that was
     * denied a moment ago costs a store elsewhere no calls.
     */
    private @Nullable Verdict foresee() {
        for (int i = 0; i < checkpoints.size(); i++) {
            Checkpoint checkpoint = checkpoints.get(i);
            Decision known = checkpoint.remembers() ? known(checkpoint, i) : null;
            if (known != null && !known.allowed()) {
                tell(checkpoint, known);
                return Verdict.of(checkpoint.rule(), known);
            }
        }
        return null;
    }

    private @Nullable Decision known(Checkpoint checkpoint, int place) {
        try {
            Subject subject = subject(checkpoint);
            if (foreseen == null) {
                foreseen = new Subject[checkpoints.size()];
            }
            foreseen[place] = subject;
            return subject instanceof Subject.Present somebody && !checkpoint.bypasses(request, subject)
                    ? checkpoint.known(somebody)
                    : null;
        } catch (Throwable e) {
            cause(e);
            return null; // whatever it is, it is settled when its turn comes
        }
    }

    /** Goes on from checkpoint to checkpoint; {@code null} if the answer of one is {@link #pending}. */
    private @Nullable Verdict go() {
        while (at < checkpoints.size()) {
            Decision decision = ask(checkpoints.get(at));
            if (pending != null) {
                return null;
            }
            Verdict refusal = settle(decision);
            if (refusal != null) {
                return refusal;
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
                Verdict verdict = settle(failure == null ? decision : failed(checkpoints.get(at), cause(failure)));
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

    /** What the checkpoint decides; {@code null} if it does not limit this request, or does not know yet. */
    private @Nullable Decision ask(Checkpoint checkpoint) {
        try {
            Subject before = foreseen == null ? null : foreseen[at];
            Subject subject = before != null ? before : subject(checkpoint);
            if (checkpoint.bypasses(request, subject)) {
                return null;
            }
            if (!(subject instanceof Subject.Present somebody)) {
                boolean skip = checkpoint.rule().missing() == Rule.Missing.SKIP && subject.equals(Subject.absent());
                return skip ? null : NoDecision.aboutNobody(checkpoint);
            }
            long cost = cost(checkpoint);
            CompletableFuture<RateLimiter> special = checkpoint.limiterOf(somebody);
            if (special == null) {
                return take(checkpoint.limiter(), somebody, cost);
            }
            if (special.isDone() || blocking) {
                return take(special(checkpoint, special), somebody, cost);
            }
            int here = at;
            pending = special.handle(
                            (limiter, failure) -> failure == null ? limiter : usual(checkpoint, cause(failure)))
                    .thenCompose(limiter -> {
                        limiters[here] = limiter;
                        return limiter.tryAcquireAsync(somebody.text(), cost);
                    });
            return null;
        } catch (Throwable e) {
            return failed(checkpoint, cause(e));
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

    /** Who it is. Where limiting goes on in spite of failures, all those share a budget whom the resolver failed for. */
    private Subject subject(Checkpoint checkpoint) {
        try {
            return checkpoint.subject(request);
        } catch (Throwable e) {
            goOn(checkpoint, cause(e));
            return SHARED;
        }
    }

    private long cost(Checkpoint checkpoint) {
        try {
            long cost = checkpoint.cost(request);
            Wording.checkCost(cost);
            return cost;
        } catch (Throwable e) {
            goOn(checkpoint, cause(e));
            return 1;
        }
    }

    private RateLimiter special(Checkpoint checkpoint, CompletableFuture<RateLimiter> limiter) {
        try {
            return limiter.join();
        } catch (Throwable e) {
            return usual(checkpoint, cause(e));
        }
    }

    private RateLimiter usual(Checkpoint checkpoint, RuntimeException failure) {
        goOn(checkpoint, failure);
        return checkpoint.limiter();
    }

    /** Tells of a resolver's failure that limiting survives, or passes it on if the rule has other wishes. */
    private void goOn(Checkpoint checkpoint, RuntimeException failure) {
        checkpoint.warnOf(failure);
        if (checkpoint.rule().onStoreFailure() != FailurePolicy.LOCAL) {
            throw failure;
        }
        tellFailure(checkpoint, failure);
    }

    private Decision failed(Checkpoint checkpoint, RuntimeException failure) {
        tellFailure(checkpoint, failure);
        return NoDecision.after(failure, checkpoint);
    }

    /** Notes the decision of the current checkpoint and moves on; the verdict if the journey ends here. */
    private @Nullable Verdict settle(@Nullable Decision decision) {
        Checkpoint checkpoint = checkpoints.get(at);
        if (decision == null || decision.allowed() || !checkpoint.enforced()) {
            decisions[at++] = decision;
            return null;
        }
        for (int i = 0; i < at; i++) {
            refund(i);
        }
        tell(checkpoint, decision);
        return Verdict.of(checkpoint.rule(), decision);
    }

    private Verdict arrive() {
        Verdict verdict = verdict();
        for (int i = 0; i < decisions.length; i++) {
            Decision decision = decisions[i];
            if (decision != null) {
                tell(checkpoints.get(i), decision);
            }
        }
        return verdict;
    }

    private Verdict verdict() {
        if (decisions.length == 1) {
            Decision only = decisions[0];
            return only == null || !checkpoints.get(0).enforced()
                    ? Verdict.PASS
                    : Verdict.of(checkpoints.get(0).rule(), only);
        }
        List<Verdict.Check> checks = new ArrayList<>(decisions.length);
        for (int i = 0; i < decisions.length; i++) {
            Decision decision = decisions[i];
            if (decision != null && checkpoints.get(i).enforced()) {
                checks.add(new Verdict.Check(checkpoints.get(i).rule(), decision));
            }
        }
        return Verdict.of(checks);
    }

    private void refund(int i) {
        RateLimiter limiter = limiters[i];
        if (limiter == null || !(decisions[i] instanceof Decision.Allowed receipt)) {
            return;
        }
        Checkpoint checkpoint = checkpoints.get(i);
        try {
            limiter.refundAsync(receipt).whenComplete((done, failure) -> {
                if (failure != null) {
                    tellFailure(checkpoint, cause(failure));
                }
            });
        } catch (Throwable e) {
            tellFailure(checkpoint, cause(e));
        }
    }

    private void tell(Checkpoint checkpoint, Decision decision) {
        listeners.decided(checkpoint.rule().name(), decision, checkpoint.enforced());
    }

    private void tellFailure(Checkpoint checkpoint, RuntimeException failure) {
        LOG.log(System.Logger.Level.DEBUG, () -> "rule '" + checkpoint.rule().name() + "' could not be asked", failure);
        listeners.failed(checkpoint.rule().name(), checkpoint.rule().onStoreFailure(), failure);
    }

    private static RuntimeException cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        Fatal.passOn(cause);
        return cause instanceof RuntimeException known ? known : new StoreException("no decision was made", cause);
    }
}
