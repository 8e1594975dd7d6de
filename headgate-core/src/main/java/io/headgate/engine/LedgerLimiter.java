package io.headgate.engine;

import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A ledger with verbs: every method is one operation of the ledger, and the {@link WaitingRoom} handles waiting. */
public final class LedgerLimiter implements RateLimiter {

    private static final System.Logger LOG = System.getLogger(RateLimiter.class.getName());

    private final String scope;
    private final Plan plan;
    private final Ledger ledger;
    final WaitingRoom waitingRoom;

    /** @param ledger the plan, bound in that scope */
    public LedgerLimiter(String scope, Plan plan, Ledger ledger, TimeSource time) {
        this.scope = Objects.requireNonNull(scope, "scope");
        this.plan = plan;
        this.ledger = ledger;
        long capacity = plan.limits().stream().mapToLong(Limit::burst).min().orElseThrow();
        this.waitingRoom = new WaitingRoom(time, capacity, this::giveBack);
    }

    @Override
    public String scope() {
        return scope;
    }

    @Override
    public Plan plan() {
        return plan;
    }

    @Override
    public Decision tryAcquire(String key) {
        return apply(key, Operation.ONE);
    }

    @Override
    public Decision tryAcquire(String key, long cost) {
        return apply(key, Operation.Take.of(cost));
    }

    @Override
    public Decision peek(String key, long cost) {
        return apply(key, new Operation.Peek(cost));
    }

    @Override
    public void reset(String key) {
        apply(key, Operation.RESET);
    }

    @Override
    public void refund(Decision.Allowed receipt) {
        if (Grant.madeByAStore(receipt).refundable() > 0) {
            ledger.apply(receipt.subject(), new Operation.Refund(receipt));
        }
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(String key, long cost) {
        return applyAsync(key, Operation.Take.of(cost));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(String key, long cost) {
        return applyAsync(key, new Operation.Peek(cost));
    }

    @Override
    public CompletableFuture<Void> resetAsync(String key) {
        return applyAsync(key, Operation.RESET).thenAccept(ignored -> {});
    }

    @Override
    public CompletableFuture<Void> refundAsync(Decision.Allowed receipt) {
        return Grant.madeByAStore(receipt).refundable() == 0
                ? CompletableFuture.completedFuture(null)
                : ledger.applyAsync(receipt.subject(), new Operation.Refund(receipt))
                        .thenAccept(ignored -> {});
    }

    @Override
    public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration maxWait) {
        requireKey(key);
        Operation.Take take = new Operation.Take(cost, micros(maxWait));
        return waitingRoom.enter(key, take, operation -> applyAsync(key, operation));
    }

    @Override
    public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
        CompletableFuture<Decision> waiter = acquireAsync(key, cost, maxWait);
        try {
            return waiter.get();
        } catch (InterruptedException e) {
            if (!waiter.cancel(true)) { // the answer has just arrived
                waiter.thenAccept(decision -> {
                    if (decision instanceof Decision.Allowed granted) {
                        giveBack(granted);
                    }
                });
            }
            throw e;
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new StoreException("the store failed", e);
        }
    }

    private Decision apply(String key, Operation operation) {
        requireKey(key);
        Decision known = ledger.known(key, operation);
        return known != null ? known : ledger.apply(key, operation);
    }

    private CompletableFuture<Decision> applyAsync(String key, Operation operation) {
        requireKey(key);
        Decision known = ledger.known(key, operation);
        return known != null ? CompletableFuture.completedFuture(known) : ledger.applyAsync(key, operation);
    }

    private void giveBack(Decision.Allowed unwanted) {
        try {
            refundAsync(unwanted).exceptionally(failure -> notGivenBack(failure));
        } catch (RuntimeException e) {
            notGivenBack(e);
        }
    }

    private static @Nullable Void notGivenBack(Throwable failure) {
        LOG.log(System.Logger.Level.WARNING, "the permits of a cancelled waiter were not given back", failure);
        return null;
    }

    private static void requireKey(String key) {
        if (key == null || key.isEmpty()) {
            throw new IllegalArgumentException("a key must not be " + (key == null ? "null" : "empty"));
        }
    }

    private static long micros(Duration wait) {
        if (wait.isNegative()) {
            throw new IllegalArgumentException("a wait must not be negative, but was " + wait);
        }
        return wait.compareTo(Duration.ofDays(366)) > 0
                ? Duration.ofDays(366).toNanos() / 1_000
                : wait.toNanos() / 1_000;
    }

    @Override
    public String toString() {
        return "RateLimiter[" + scope + ", " + plan + "]";
    }
}
