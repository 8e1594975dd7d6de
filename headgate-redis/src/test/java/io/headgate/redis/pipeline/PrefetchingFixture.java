package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import java.time.Duration;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.concurrent.CompletableFuture;

/** Permits prefetched from a Redis whose time, and that of alarms, is moved by hand. */
final class PrefetchingFixture {

    static final Key KEY = new Key("api", "everybody");
    static final Duration LASTS = Duration.ofMillis(10);

    final FakeRedis redis = new FakeRedis();
    final Prefetching prefetching = new Prefetching(redis::nanos, this::after, LASTS);

    private final PriorityQueue<Ring> alarms = new PriorityQueue<>(Comparator.comparingLong(Ring::atNanos));

    private record Ring(long atNanos, Runnable then) {}

    void after(long nanos, Runnable then) {
        alarms.add(new Ring(redis.nanos() + nanos, then));
    }

    CompletableFuture<Decision> take(Plan plan) {
        return apply(plan, Operation.ONE);
    }

    CompletableFuture<Decision> apply(Plan plan, Operation operation) {
        return prefetching
                .over(KEY.scope(), redis.of(plan), redis.ledger(KEY.scope(), plan))
                .applyAsync(KEY.subject(), operation);
    }

    /** Asks as often as makes a key busy, and so that permits have been prefetched. */
    void makeBusy(Plan plan) {
        for (int i = 0; i < Prefetching.BUSY; i++) {
            take(plan).join();
        }
    }

    /** Moves on, with every alarm at its time. */
    void advanceNanos(long nanos) {
        long until = redis.nanos() + nanos;
        while (!alarms.isEmpty() && alarms.peek().atNanos <= until) {
            Ring next = alarms.remove();
            redis.advanceNanos(Math.max(0, next.atNanos - redis.nanos()));
            next.then.run();
        }
        redis.advanceNanos(until - redis.nanos());
    }

    void advance(Duration time) {
        advanceNanos(time.toNanos());
    }

    /** What somebody else would find to be spent. */
    long spent(Plan plan) {
        return plan.limits().get(0).burst()
                - redis.apply(KEY, plan, Operation.PEEK).remaining();
    }

    /** How many alarms are set. */
    int alarms() {
        return alarms.size();
    }
}
