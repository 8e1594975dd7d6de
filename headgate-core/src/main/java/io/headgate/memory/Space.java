package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Judge;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.TimeSource;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one scope.
 *
 * <p>How keys come and go. The state of a limiter heals by itself: once the budget is full again, a key that is forgotten and a
 * key that is remembered get the same answers. So no order of access is kept. Whoever adds a key first walks a few cells, where
 * the last walk ended, and forgets the full ones: it marks the cell as ended, then removes it, and a writer that meets an ended
 * cell starts over. A flood of new keys can therefore not push out a key that is being limited.
 *
 * <p>If there is no room even so, the new key is decided on one of a few overflow cells that it shares with others: stricter than
 * asked, but never off. Once there is room it gets a cell of its own that starts with a copy of the shared state, so leaving the
 * overflow never means a fresh budget.
 */
final class Space {

    /** How many cells adding a key looks at, and how many when the store is full. */
    static final int FEW = 4;

    static final int MANY = 32;

    private static final int OVERFLOW_CELLS = 64;
    private static final int MAX_RECENT = 8;

    final String scope;

    private final Algorithms algorithms;
    private final TimeSource time;
    private final Room room;
    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Shared, Cell> overflow = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Plan, Judge> judges = new ConcurrentHashMap<>();
    private final ReentrantLock sweeping = new ReentrantLock();
    private Iterator<Map.Entry<String, Cell>> walk = cells.entrySet().iterator();

    /** The plans met last, to be found by the very instance; {@link #judges} finds them by their limits. */
    private volatile Bound[] recent = {};

    private record Bound(Plan plan, Judge judge) {}

    /** Names an overflow cell: the keys of one plan share those of their slot. */
    private record Shared(Plan plan, int slot) {}

    Space(String scope, Algorithms algorithms, TimeSource time, Room room) {
        this.scope = scope;
        this.algorithms = algorithms;
        this.time = time;
        this.room = room;
    }

    Decision apply(String subject, Plan plan, Operation operation) {
        if (operation instanceof Operation.Take take) {
            return take(subject, plan, take.cost(), take.maxWaitMicros());
        }
        Judge judge = judge(plan);
        if (operation instanceof Operation.Refund refund) {
            refund(subject, judge, refund.receipt());
        } else if (operation instanceof Operation.Reset) {
            reset(subject, judge);
        }
        return peek(subject, judge, operation instanceof Operation.Peek peek ? peek.cost() : 1);
    }

    @SuppressWarnings("ReferenceEquality") // an equal plan will do as well, the longer way
    private Decision take(String subject, Plan plan, long cost, long maxWaitMicros) {
        Cell present = cells.get(subject);
        Decision quick = present != null && present.judge.plan() == plan
                ? present.take(subject, cost, maxWaitMicros, time)
                : null;
        return quick != null ? quick : take(subject, judge(plan), cost, maxWaitMicros);
    }

    private Decision take(String subject, Judge judge, long cost, long maxWaitMicros) {
        while (true) {
            Cell cell = find(subject, judge);
            Decision decision = cell != null
                    ? cell.take(subject, cost, maxWaitMicros, time)
                    : takeFirst(subject, judge, cost, maxWaitMicros);
            if (decision != null) {
                return decision;
            }
            retire(subject, cell);
        }
    }

    /** The first request of a key; {@code null} if another thread was first after all. */
    private @Nullable Decision takeFirst(String subject, Judge judge, long cost, long maxWaitMicros) {
        long now = time.nowMicros();
        Cell cell = Cell.of(judge, start(subject, judge, now), now);
        Decision decision = cell.take(subject, cost, maxWaitMicros, time);
        if (!(decision instanceof Decision.Allowed)) {
            return decision;
        }
        if (!room.take(this)) {
            room.countOverflow();
            return overflow(subject, judge).take(subject, cost, maxWaitMicros, time);
        }
        Cell grown = cell.successor() == null ? cell : cell.successor();
        if (cells.putIfAbsent(subject, grown) == null) {
            return decision;
        }
        room.giveBack();
        return null;
    }

    private Decision peek(String subject, Judge judge, long cost) {
        while (true) {
            Cell cell = find(subject, judge);
            Decision decision = cell != null ? cell.peek(subject, cost, time) : peekAbsent(subject, judge, cost);
            if (decision != null) {
                return decision;
            }
            retire(subject, cell);
        }
    }

    private Decision peekAbsent(String subject, Judge judge, long cost) {
        long now = time.nowMicros();
        return judge.peek(start(subject, judge, now), subject, cost, now);
    }

    private void refund(String subject, Judge judge, Decision.Allowed receipt) {
        long cost = receipt.claimRefund();
        if (cost == 0) {
            return;
        }
        Cell cell = find(subject, judge);
        while (cell != null && !cell.refund(receipt, cost, time)) {
            retire(subject, cell);
            cell = find(subject, judge);
        }
        Cell common = cell == null ? overflow.get(shared(subject, judge)) : null;
        if (common != null) {
            common.refund(receipt, cost, time);
        }
    }

    private void reset(String subject, Judge judge) {
        Cell cell = find(subject, judge);
        while (cell != null && !cell.forget()) {
            retire(subject, cell);
            cell = find(subject, judge);
        }
        retire(subject, cell);
        Shared shared = shared(subject, judge);
        Cell common = overflow.get(shared);
        if (common != null && common.forget()) {
            overflow.remove(shared, common);
        }
    }

    /** The cell of a key under the given plan, moved there if it has another; {@code null} if there is none. */
    private @Nullable Cell find(String subject, Judge judge) {
        while (true) {
            Cell cell = cells.get(subject);
            if (cell == null || cell.judge == judge) {
                return cell;
            }
            cell.move(judge, time);
            retire(subject, cell);
        }
    }

    /** Clears away a cell that has ended, in favour of the one that continues it. */
    private void retire(String subject, @Nullable Cell cell) {
        if (cell == null) {
            return;
        }
        Cell successor = cell.successor();
        if (successor != null) {
            cells.replace(subject, cell, successor);
        } else {
            remove(subject, cell);
        }
    }

    private void remove(String subject, Cell cell) {
        if (cells.remove(subject, cell)) {
            room.giveBack();
        }
    }

    /** What a key without a cell starts with: what the overflow cell it may have shared still holds, else nothing spent. */
    private Object start(String subject, Judge judge, long nowMicros) {
        if (!overflow.isEmpty()) {
            Shared shared = shared(subject, judge);
            Cell cell = overflow.get(shared);
            Object state = cell == null ? null : cell.copyUnlessFull(time);
            if (state != null) {
                return state;
            }
            if (cell != null && cell.forgetIfFull(time)) {
                overflow.remove(shared, cell);
            }
        }
        return judge.fresh(nowMicros);
    }

    private Cell overflow(String subject, Judge judge) {
        return overflow.computeIfAbsent(shared(subject, judge), missing -> {
            long now = time.nowMicros();
            return Cell.of(judge, judge.fresh(now), now);
        });
    }

    private static Shared shared(String subject, Judge judge) {
        int hash = subject.hashCode();
        return new Shared(judge.plan(), (hash ^ hash >>> 16) & OVERFLOW_CELLS - 1);
    }

    @SuppressWarnings("ReferenceEquality") // the point of it
    private Judge judge(Plan plan) {
        for (Bound each : recent) {
            if (each.plan == plan) {
                return each.judge;
            }
        }
        return bind(plan);
    }

    private Judge bind(Plan plan) {
        Judge judge = judges.computeIfAbsent(plan, missing -> new Judge(missing, algorithms));
        Bound[] known = recent;
        Bound[] next = new Bound[Math.min(known.length + 1, MAX_RECENT)];
        next[0] = new Bound(plan, judge);
        System.arraycopy(known, 0, next, 1, next.length - 1);
        recent = next;
        return judge;
    }

    /** Looks at so many cells and forgets those that are full again; does nothing while another thread is at it. */
    void sweep(int count) {
        if (!sweeping.tryLock()) {
            return;
        }
        try {
            for (int i = 0; i < count; i++) {
                if (!walk.hasNext()) {
                    walk = cells.entrySet().iterator();
                    if (!walk.hasNext()) {
                        return;
                    }
                }
                Map.Entry<String, Cell> entry = walk.next();
                if (entry.getValue().forgetIfFull(time)) {
                    remove(entry.getKey(), entry.getValue());
                }
            }
        } finally {
            sweeping.unlock();
        }
    }
}
