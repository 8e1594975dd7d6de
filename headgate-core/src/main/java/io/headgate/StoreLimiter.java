package io.headgate;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/** A limiter on top of a store: every method is one operation of the store, and the {@link WaitingRoom} handles waiting. */
final class StoreLimiter implements RateLimiter {

    private static final System.Logger LOG = System.getLogger(RateLimiter.class.getName());

    private final String scope;
    private final Plan plan;
    private final Store store;
    final WaitingRoom waitingRoom;

    StoreLimiter(String scope, Plan plan, Store store, TimeSource time) {
        this.scope = Objects.requireNonNull(scope, "scope");
        this.plan = plan;
        this.store = store;
        store.check(plan);
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
        return store.apply(new Key(scope, key), plan, Operation.ONE);
    }

    @Override
    public Decision tryAcquire(String key, long cost) {
        return store.apply(new Key(scope, key), plan, take(cost));
    }

    @Override
    public @Nullable Decision known(String key, long cost) {
        return store.known(new Key(scope, key), plan, take(cost));
    }

    @Override
    public boolean remembers() {
        return store.remembers();
    }

    @Override
    public Decision peek(String key, long cost) {
        return store.apply(new Key(scope, key), plan, new Operation.Peek(cost));
    }

    @Override
    public void reset(String key) {
        store.apply(new Key(scope, key), plan, Operation.RESET);
    }

    @Override
    public void refund(Decision.Allowed receipt) {
        if (receipt.refundable() > 0) {
            store.apply(new Key(scope, receipt.subject()), plan, new Operation.Refund(receipt));
        }
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(String key, long cost) {
        return store.applyAsync(new Key(scope, key), plan, take(cost));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(String key, long cost) {
        return store.applyAsync(new Key(scope, key), plan, new Operation.Peek(cost));
    }

    @Override
    public CompletableFuture<Void> resetAsync(String key) {
        return store.applyAsync(new Key(scope, key), plan, Operation.RESET).thenAccept(ignored -> {});
    }

    @Override
    public CompletableFuture<Void> refundAsync(Decision.Allowed receipt) {
        return receipt.refundable() == 0
                ? CompletableFuture.completedFuture(null)
                : store.applyAsync(new Key(scope, receipt.subject()), plan, new Operation.Refund(receipt))
                        .thenAccept(ignored -> {});
    }

    @Override
    public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration maxWait) {
        Key full = new Key(scope, key);
        Operation.Take take = new Operation.Take(cost, micros(maxWait));
        return waitingRoom.enter(key, take, operation -> store.applyAsync(full, plan, operation));
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

    private static Operation take(long cost) {
        return cost == 1 ? Operation.ONE : new Operation.Take(cost, 0);
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
