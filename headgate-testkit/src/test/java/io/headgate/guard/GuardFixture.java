package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.memory.MemoryStore;
import io.headgate.testkit.ManualTime;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.logging.Logger;

/** A store that can fail, a guard before it, and time that stands still. */
abstract class GuardFixture {

    static final Key KEY = new Key("login", "alice");

    /** Nobody reads what guards log of hundreds of outages; {@link GuardLogTest} does at the guard's own logger. */
    private static final Logger LOGGER = Logger.getLogger(Guard.class.getPackageName());

    static {
        LOGGER.setUseParentHandlers(false);
    }

    final ManualTime time = new ManualTime();
    final Store shared = new MemoryStore(Headgate.algorithms(), time, 1_000);
    final FaultyStore store = new FaultyStore(shared);
    GuardSettings settings = GuardSettings.DEFAULT.instances(1);

    Guard guard() {
        return new Guard(store, new MemoryStore(Headgate.algorithms(), time, 1_000), settings, time);
    }

    static Decision take(Guard guard, FailurePolicy policy, String limit) {
        return take(guard, policy, limit, 1);
    }

    static Decision take(Guard guard, FailurePolicy policy, String limit, long cost) {
        return guard.store(policy)
                .bind(KEY.scope(), Plan.parse(limit))
                .apply(KEY.subject(), new Operation.Take(cost, 0));
    }

    static CompletableFuture<Decision> takeAsync(Guard guard, FailurePolicy policy, String limit) {
        return guard.store(policy).bind(KEY.scope(), Plan.parse(limit)).applyAsync(KEY.subject(), Operation.ONE);
    }

    /** What the store itself has left for the key. */
    long remaining(String limit) {
        return shared.bind(KEY.scope(), Plan.parse(limit))
                .apply(KEY.subject(), Operation.PEEK)
                .remaining();
    }

    void passes(String span) {
        time.advance(Duration.parse("PT" + span.toUpperCase(Locale.ROOT)));
    }
}
