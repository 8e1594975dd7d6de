package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A store behind its guard, as the limiters of one failure policy see it.
 *
 * <p>Only a take or a peek can be answered without the store. A reset, or a refund of what the store has granted, fails if the
 * store does: there is no substitute answer.
 */
final class GuardedStore implements Store {

    /** When to retry if the store failed and the policy is {@link FailurePolicy#CLOSED}. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Guard guard;
    private final FailurePolicy policy;

    GuardedStore(Guard guard, FailurePolicy policy) {
        this.guard = guard;
        this.policy = policy;
    }

    @Override
    public Decision apply(Key key, Plan plan, Operation operation) {
        try {
            return apply(key, plan, operation, true).join();
        } catch (CompletionException e) {
            throw Call.storeException(e);
        }
    }

    @Override
    public CompletableFuture<Decision> applyAsync(Key key, Plan plan, Operation operation) {
        return apply(key, plan, operation, false);
    }

    /**
     * Applies the operation. The answer is processed by the thread that delivers it, in the order of the answers, and not by the
     * thread that waits for it.
     */
    private CompletableFuture<Decision> apply(Key key, Plan plan, Operation operation, boolean blocking) {
        if (operation instanceof Operation.Refund refund && refund.receipt().degraded()) {
            return CompletableFuture.completedFuture(guard.local.apply(key, plan, operation));
        }
        Decision known = known(key, plan, operation);
        if (known != null) {
            return CompletableFuture.completedFuture(known);
        }
        if (operation instanceof Operation.Reset) {
            guard.local.reset(key, plan);
        }
        Circuit circuit = guard.circuit(key);
        Call call = circuit.place(() -> guard.store.applyAsync(key, plan, operation));
        Decision ready = call.ready();
        if (ready != null) {
            try {
                return CompletableFuture.completedFuture(answered(key, ready));
            } catch (RuntimeException | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        CompletableFuture<Decision> settled = call.timely().handle((decision, failure) -> {
            if (failure == null) {
                return answered(key, decision);
            }
            StoreException why = Call.storeException(failure);
            guard.failed(why);
            Decision instead = instead(key, plan, operation, why);
            if (!instead.allowed()) {
                call.ifAnswered(late -> {
                    if (late instanceof Decision.Allowed grant && grant.refundable() > 0) {
                        guard.takeBack(key, plan, grant);
                    }
                });
            }
            return instead;
        });
        if (blocking) {
            circuit.await(call, settled);
        } else {
            circuit.watch(call);
        }
        return settled;
    }

    private Decision answered(Key key, Decision decision) {
        guard.answered();
        guard.lastKnown.remember(key, decision);
        return decision;
    }

    private Decision instead(Key key, Plan plan, Operation operation, StoreException why) {
        if (operation instanceof Operation.Refund || operation instanceof Operation.Reset) {
            throw why;
        }
        if (policy == FailurePolicy.CLOSED) {
            return new Decision.Unavailable(plan.limits().get(0), SOON, why);
        }
        boolean open = policy == FailurePolicy.OPEN && !LocalShare.isImpossible(plan, operation) && guard.isOpen();
        return open ? unlimited(key, plan) : guard.local.apply(key, plan, operation);
    }

    private static Decision unlimited(Key key, Plan plan) {
        Limit limit = plan.limits().get(0);
        return Decision.Allowed.of(limit, key.subject(), 1, limit.burst(), 0, 0, null)
                .asDegraded();
    }

    @Override
    public @Nullable Decision known(Key key, Plan plan, Operation operation) {
        return guard.store.known(key, plan, operation);
    }

    @Override
    public boolean remembers() {
        return guard.store.remembers();
    }

    @Override
    public void check(Plan plan) {
        guard.store.check(plan);
        guard.local.check(plan);
    }

    @Override
    public String toString() {
        return "GuardedStore[" + guard.store + ", " + policy + "]";
    }
}
