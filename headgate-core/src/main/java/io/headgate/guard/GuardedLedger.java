package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.engine.Grant;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A ledger behind the guard of its store, with a policy for failures.
 *
 * <p>Only a take or a peek can be answered without the store. A reset, or a refund of what the store has granted, fails if the
 * store does: there is no substitute answer.
 */
final class GuardedLedger implements Ledger {

    /** When to retry if the store failed and the policy is {@link FailurePolicy#CLOSED}. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Guard guard;
    private final FailurePolicy policy;
    private final Plan plan;
    private final Ledger ledger;
    private final LocalShare local;

    /** @param ledger must not block the calling thread of {@link #applyAsync} */
    GuardedLedger(Guard guard, FailurePolicy policy, Plan plan, Ledger ledger, LocalShare local) {
        this.guard = guard;
        this.policy = policy;
        this.plan = plan;
        this.ledger = ledger;
        this.local = local;
    }

    @Override
    public Decision apply(String subject, Operation operation) {
        try {
            return apply(subject, operation, true).join();
        } catch (CompletionException e) {
            throw Circuit.storeException(e);
        }
    }

    @Override
    public CompletableFuture<Decision> applyAsync(String subject, Operation operation) {
        return apply(subject, operation, false);
    }

    /**
     * Applies the operation. The answer is processed by the thread that delivers it, in the order of the answers, and not by the
     * thread that waits for it.
     */
    private CompletableFuture<Decision> apply(String subject, Operation operation, boolean blocking) {
        if (operation instanceof Operation.Refund refund && refund.receipt().degraded()) {
            return CompletableFuture.completedFuture(local.apply(subject, operation));
        }
        if (operation instanceof Operation.Reset) {
            local.reset(subject);
        }
        Circuit circuit = guard.circuitOf(ledger.part(subject));
        Circuit.Call call = circuit.place(() -> ledger.applyAsync(subject, operation));
        Decision ready = call.ready();
        if (ready != null) {
            try {
                return CompletableFuture.completedFuture(answered(subject, ready));
            } catch (RuntimeException | Error e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        CompletableFuture<Decision> settled = call.timely().handle((decision, failure) -> {
            if (failure == null) {
                return answered(subject, decision);
            }
            StoreException why = Circuit.storeException(failure);
            guard.failed(why);
            Decision instead = instead(subject, operation, why);
            if (!instead.allowed()) {
                call.ifAnswered(late -> {
                    if (late instanceof Decision.Allowed grant && grant.refundable() > 0) {
                        guard.takeBack(ledger, grant);
                    }
                });
            }
            return instead;
        });
        if (blocking) {
            call.await(settled);
        } else {
            call.endInTime();
        }
        return settled;
    }

    private Decision answered(String subject, Decision decision) {
        guard.answered();
        local.remember(subject, decision);
        return decision;
    }

    private Decision instead(String subject, Operation operation, StoreException why) {
        if (operation instanceof Operation.Refund || operation instanceof Operation.Reset) {
            throw why;
        }
        if (policy == FailurePolicy.CLOSED) {
            return new Decision.Unavailable(plan.limits().get(0), SOON, why);
        }
        boolean open = policy == FailurePolicy.OPEN && !local.isImpossible(operation) && guard.isOpen();
        return open ? unlimited(subject) : local.apply(subject, operation);
    }

    private Decision unlimited(String subject) {
        Limit limit = plan.limits().get(0);
        return Grant.of(limit, subject, 1, limit.burst(), 0, 0, null).asDegraded();
    }

    @Override
    public @Nullable Decision known(String subject, Operation operation) {
        return ledger.known(subject, operation);
    }

    @Override
    public boolean remembers() {
        return ledger.remembers();
    }

    @Override
    public Object part(String subject) {
        return ledger.part(subject);
    }
}
