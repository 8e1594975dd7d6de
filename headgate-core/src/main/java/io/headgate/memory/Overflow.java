package io.headgate.memory;

import io.headgate.Decision;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.KeyState;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The few cells of a scope that keys share while there is no room for cells of their own. */
final class Overflow extends Cells<Overflow.Shared> {

    private static final int CELLS = 64;

    private final ConcurrentHashMap<Shared, Cell> cells = new ConcurrentHashMap<>();

    /** Whether the walk is among the cells; guarded by the {@link Sweep}. */
    private boolean walking;

    /** Names a cell: keys share one if their limits have the same ids and their subjects fall into the same slot. */
    record Shared(List<String> ids, int slot) {

        static Shared of(String subject, BoundPlan boundPlan) {
            int hash = subject.hashCode();
            return new Shared(boundPlan.ids(), (hash ^ hash >>> 16) & CELLS - 1);
        }
    }

    Overflow(TimeSource time) {
        super(time);
    }

    Decision take(String subject, BoundPlan boundPlan, long cost, long maxWaitMicros) {
        Shared shared = Shared.of(subject, boundPlan);
        while (true) {
            Cell cell = find(shared, boundPlan);
            if (cell == null) {
                long now = time.nowMicros();
                cells.putIfAbsent(shared, Cell.of(KeyState.fresh(boundPlan, now), now));
                continue;
            }
            Decision decision = cell.take(boundPlan, subject, cost, maxWaitMicros, time.nowMicros(), time);
            if (decision != null) {
                return decision;
            }
            retire(shared, cell);
        }
    }

    /**
     * The state with which a key without a cell starts: a copy of the cell that it may have shared, unless that is full; else a
     * fresh one.
     */
    Object start(String subject, BoundPlan boundPlan, long nowMicros) {
        if (isEmpty()) {
            return boundPlan.freshPacked(nowMicros);
        }
        Shared shared = Shared.of(subject, boundPlan);
        while (true) {
            Cell cell = find(shared, boundPlan);
            Object state = cell == null ? null : cell.copyUnlessFull(time);
            if (state != null) {
                return state;
            }
            boolean fresh = cell == null || cell.forgetIfFull(time, 0);
            retire(shared, cell);
            if (fresh) {
                return boundPlan.freshPacked(nowMicros);
            }
        }
    }

    boolean isEmpty() {
        return cells.isEmpty();
    }

    int size() {
        return cells.size();
    }

    @Override
    @Nullable
    Cell get(Shared name) {
        return cells.get(name);
    }

    @Override
    void replace(Shared name, Cell ended, Cell successor) {
        cells.replace(name, ended, successor);
    }

    @Override
    void remove(Shared name, Cell ended) {
        cells.remove(name, ended);
    }

    @Override
    @Nullable
    Iterator<Map.Entry<Shared, Cell>> nextPart() {
        walking = !walking;
        return walking ? cells.entrySet().iterator() : null;
    }
}
