package io.headgate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * Grants or denies permits to the keys of one scope under one plan.
 *
 * <pre>{@code
 * RateLimiter limiter = Headgate.limiter("10/min");
 * if (limiter.tryAcquire("alice") instanceof Decision.Denied denied) {
 *     throw new TooManyRequests(denied.retryAfter());
 * }
 * }</pre>
 *
 * <p>Thread-safe. A key must not be empty and a cost must be at least 1; otherwise an
 * {@link IllegalArgumentException} is thrown. Every operation has an asynchronous form that blocks no thread. If the future of
 * a waiting caller is cancelled or times out, its permits are given back: those behind it that wait for the same number of permits
 * move up, and once nobody waits any more, in this limiter or another one of the same scope, nothing is reserved.
 */
public interface RateLimiter {

    /** What is limited; scope and key together name the state. */
    String scope();

    /** The limits that apply to every key. */
    Plan plan();

    /** The key of {@link #tryAcquire()}: one budget for everybody. */
    String EVERYBODY = "everybody";

    /** Takes one permit now, or none, from one budget that everybody shares. */
    default Decision tryAcquire() {
        return tryAcquire(EVERYBODY);
    }

    /** Takes one permit now, or none. */
    default Decision tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    /** Takes {@code cost} permits now, all of them or none. */
    Decision tryAcquire(String key, long cost);

    /**
     * Takes permits and waits for them if the wait is at most {@code maxWait}; otherwise answers at once. Callers that wait for the
     * same key are served first come, first served within this limiter: a bucket reserves a slot for each of them; under the other
     * algorithms the first in line waits and asks again. A {@link #tryAcquire} does not queue behind them, and neither does a call
     * with a {@code maxWait} of zero.
     *
     * @throws InterruptedException if interrupted while waiting; the permits are given back
     */
    Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException;

    /** What {@link #tryAcquire(String)} would answer now. Spends nothing. */
    default Decision peek(String key) {
        return peek(key, 1);
    }

    /** What {@link #tryAcquire(String, long)} would answer now, with what remains before the cost is taken. Spends nothing. */
    Decision peek(String key, long cost);

    /** Gives the key its full budget back. */
    void reset(String key);

    /**
     * Takes back the charge that this grant made, as far as it is still in the state: what has flowed off or was reset since is not
     * given back a second time. While others wait for slots that they reserved behind the charge, its permits come back only when they
     * have had theirs, or leave. A second refund of the same grant does nothing.
     */
    void refund(Decision.Allowed receipt);

    /** As {@link #tryAcquire(String)}. */
    default CompletableFuture<Decision> tryAcquireAsync(String key) {
        return tryAcquireAsync(key, 1);
    }

    /** As {@link #tryAcquire(String, long)}. */
    CompletableFuture<Decision> tryAcquireAsync(String key, long cost);

    /** As {@link #acquire}. */
    CompletableFuture<Decision> acquireAsync(String key, long cost, Duration maxWait);

    /** As {@link #peek(String, long)}. */
    CompletableFuture<Decision> peekAsync(String key, long cost);

    /** As {@link #reset}. */
    CompletableFuture<Void> resetAsync(String key);

    /** As {@link #refund}. */
    CompletableFuture<Void> refundAsync(Decision.Allowed receipt);
}
