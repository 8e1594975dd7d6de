package io.headgate.guide;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.KeyState;
import java.util.concurrent.ConcurrentHashMap;

// snippet
/** Keeps everything in a map, for ever. */
final class MapStore implements Store {

    private final Algorithms algorithms;
    private final TimeSource time;
    private final ConcurrentHashMap<Key, KeyState.Step> keys = new ConcurrentHashMap<>();

    MapStore(Algorithms algorithms, TimeSource time) {
        this.algorithms = algorithms;
        this.time = time;
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        BoundPlan boundPlan = new BoundPlan(plan, algorithms); // rejects what the algorithms cannot apply
        return (subject, operation) -> apply(new Key(scope, subject), boundPlan, operation);
    }

    private Decision apply(Key key, BoundPlan boundPlan, Operation operation) {
        // The map lets in one caller per key at a time, and the time is read inside: no state or time is stale.
        return keys.compute(key, (same, last) -> {
                    long now = time.nowMicros();
                    KeyState state = last == null
                            ? KeyState.fresh(boundPlan, now)
                            : last.next().under(boundPlan, now); // what was spent under another plan stays spent
                    return state.apply(operation, key.subject(), now);
                })
                .decision();
    }

    @Override
    public Algorithms algorithms() {
        return algorithms;
    }

    @Override
    public boolean inProcess() {
        return true; // needs no guard
    }
}
// end
