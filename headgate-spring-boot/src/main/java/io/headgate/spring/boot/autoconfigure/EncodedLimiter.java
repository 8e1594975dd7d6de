package io.headgate.spring.boot.autoconfigure;

import io.headgate.Decision;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.spring.KeyEncoder;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A limiter that names its keys with a {@link KeyEncoder}. */
record EncodedLimiter(RateLimiter limiter, KeyEncoder encoder) implements RateLimiter {

    private String name(String key) {
        return encoder.encode(limiter.scope(), key);
    }

    @Override
    public String scope() {
        return limiter.scope();
    }

    @Override
    public Plan plan() {
        return limiter.plan();
    }

    @Override
    public Decision tryAcquire(String key, long cost) {
        return limiter.tryAcquire(name(key), cost);
    }

    @Override
    public @Nullable Decision known(String key, long cost) {
        return limiter.known(name(key), cost);
    }

    @Override
    public boolean remembers() {
        return limiter.remembers();
    }

    @Override
    public Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException {
        return limiter.acquire(name(key), cost, maxWait);
    }

    @Override
    public Decision peek(String key, long cost) {
        return limiter.peek(name(key), cost);
    }

    @Override
    public void reset(String key) {
        limiter.reset(name(key));
    }

    @Override
    public void refund(Decision.Allowed receipt) {
        limiter.refund(receipt); // the receipt carries the encoded name
    }

    @Override
    public CompletableFuture<Decision> tryAcquireAsync(String key, long cost) {
        return limiter.tryAcquireAsync(name(key), cost);
    }

    @Override
    public CompletableFuture<Decision> acquireAsync(String key, long cost, Duration maxWait) {
        return limiter.acquireAsync(name(key), cost, maxWait);
    }

    @Override
    public CompletableFuture<Decision> peekAsync(String key, long cost) {
        return limiter.peekAsync(name(key), cost);
    }

    @Override
    public CompletableFuture<Void> resetAsync(String key) {
        return limiter.resetAsync(name(key));
    }

    @Override
    public CompletableFuture<Void> refundAsync(Decision.Allowed receipt) {
        return limiter.refundAsync(receipt);
    }
}
