package io.headgate;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Grants or refuses permits to the keys of one scope under one plan.
 *
 * <pre>{@code
 * RateLimiter limiter = Headgate.limiter("10/min");
 * if (limiter.tryAcquire("alice") instanceof Decision.Denied denied) {
 *     throw new TooManyRequests(denied.retryAfter());
 * }
 * }</pre>
 *
 * <p>Thread-safe. A key must not be empty and a cost must be at least 1; both are refused with an
 * {@link IllegalArgumentException}. Every verb has a form that holds no thread; whoever cancels the future of a waiter, or
 * lets it time out, gives its permits back.
 */
public interface RateLimiter {

    /** What is limited; together with a key it names the state. */
    String scope();

    /** The limits every key is held to. */
    Plan plan();

    /** Takes one permit now or not at all. */
    default Decision tryAcquire(String key) {
        return tryAcquire(key, 1);
    }

    /** Takes so many permits now, all of them or none. */
    Decision tryAcquire(String key, long cost);

    /**
     * What {@link #tryAcquire(String, long)} answers if that is at hand without asking the store, as to somebody who was denied a
     * moment ago; {@code null} if it is not. Spends nothing, and never waits.
     */
    default @Nullable Decision known(String key, long cost) {
        return null;
    }

    /** Whether {@link #known} may ever have an answer. */
    default boolean remembers() {
        return false;
    }

    /**
     * Takes permits, waiting for them if that takes no longer than {@code maxWait}; otherwise answers at once. Waiters of
     * one key are served first come, first served within this limiter: buckets reserve each its slot, under other algorithms
     * the first in line waits and asks again. A {@link #tryAcquire} does not queue behind them, and nor does a caller that would
     * not wait at all.
     *
     * @throws InterruptedException if interrupted while waiting; the permits are given back
     */
    Decision acquire(String key, long cost, Duration maxWait) throws InterruptedException;

    /** What {@link #tryAcquire(String)} would answer now. Spends nothing. */
    default Decision peek(String key) {
        return peek(key, 1);
    }

    /** What {@link #tryAcquire(String, long)} would answer now, with what remains before it. Spends nothing. */
    Decision peek(String key, long cost);

    /** Gives the key its full budget back. */
    void reset(String key);

    /**
     * Takes back the one charge this grant made, as much of it as is still in the state; what has flowed off or was reset
     * since is not given twice. A second refund of the same grant does nothing.
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
