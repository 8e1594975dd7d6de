package io.headgate.load;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.memory.MemoryStore;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A memory store that records every decision and the time at which it was made. */
final class Recorder implements Store {

    private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
    private final ThreadLocal<Long> read = ThreadLocal.withInitial(() -> 0L);
    private final TimeSource time = () -> {
        long now = TimeSource.system().nowMicros();
        read.set(now);
        return now;
    };
    private final Store store = new MemoryStore(Headgate.algorithms(), time, MemoryStore.DEFAULT_MAX_KEYS);

    /**
     * A decision.
     *
     * @param atMicros the time that the store read for the decision
     * @param doneMicros the time when the store returned the decision; everything it took into account had happened by then
     * @param fullMicros the time at which the budget would be full again
     */
    record Seen(Plan plan, boolean allowed, long atMicros, long doneMicros, long fullMicros) {}

    List<Seen> seen() {
        return List.copyOf(seen);
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        Ledger ledger = store.bind(scope, plan);
        return (subject, operation) -> {
            Decision decision = ledger.apply(subject, operation);
            if (operation instanceof Operation.Take) {
                long at = read.get();
                long full = at + decision.resetAfter().toNanos() / 1_000;
                seen.add(new Seen(plan, decision.allowed(), at, time.nowMicros(), full));
            }
            return decision;
        };
    }

    @Override
    public boolean inProcess() {
        return true;
    }
}
