package io.headgate.spring.autoconfigure;

import io.headgate.Decision;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * A limiter that limits in process as long as its store cannot answer.
 *
 * @param shared over the store
 * @param local over the memory of this instance
 */
record LocalLimiter(RateLimiter shared, RateLimiter local) implements RateLimiter {

    @Override
    public String scope() {
        return shared.scope();
    }

    @Override
    public Plan plan() {
        return shared.plan();
    }

    @Override
    public Decision tryAcquire(String key, long cost) {
        try {
            return shared.tryAcquire(key, cost);
        } catch (StoreException e) {
            return local.tryAcquire(key, cost).asDegraded();
        }
    }

    @Override
    public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
        try {
            return shared.acquire(key, cost, maxWait);
        } catch (StoreException e) {
            return local.acquire(key, cost, maxWait).asDegraded();
        }
    }

    @Override
    public Decision peek(String key, long cost) {
        return shared.peek(key, cost);
    }

    @Override
    public void reset(String key) {
        local.reset(key);
        shared.reset(key);
    }

    @Override
    public void refund(Decision.Allowed receipt) {
        (receipt.degraded() ? local : shared).refund(receipt);
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(String key, long cost) {
        return or(shared.tryAcquireAsync(key, cost), limiter -> limiter.tryAcquireAsync(key, cost));
    }

    @Override
    public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration maxWait) {
        return or(shared.acquireAsync(key, cost, maxWait), limiter -> limiter.acquireAsync(key, cost, maxWait));
    }

    @Override
    public CompletableFuture<Decision> peekAsync(String key, long cost) {
        return shared.peekAsync(key, cost);
    }

    @Override
    public CompletableFuture<Void> resetAsync(String key) {
        local.reset(key);
        return shared.resetAsync(key);
    }

    @Override
    public CompletableFuture<Void> refundAsync(Decision.Allowed receipt) {
        return (receipt.degraded() ? local : shared).refundAsync(receipt);
    }

    private CompletableFuture<Decision> or(
            CompletableFuture<Decision> answer, Function<RateLimiter, CompletableFuture<Decision>> instead) {
        return answer.exceptionallyCompose(failure -> {
            Throwable cause =
                    failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
            return cause instanceof StoreException
                    ? instead.apply(local).thenApply(Decision::asDegraded)
                    : CompletableFuture.failedFuture(cause);
        });
    }
}
