package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Departed;
import io.headgate.Held;
import io.headgate.Judge;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.TimeSource;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one scope.
 *
 * <p>How keys are added and forgotten. The state of a key recovers by itself: once its budget is full again, a forgotten key and a
 * remembered one get the same answers. So no access order is kept. A thread that adds a key first visits a few cells, starting
 * where the last walk ended, and forgets those with a full budget: it marks the cell as ended, then removes it, and a writer that
 * finds an ended cell starts over. A flood of new keys can therefore not evict a key that is being limited.
 *
 * <p>If there is still no room, the new key is decided on one of a few overflow cells that it shares with other keys: more strictly
 * than asked, but never without a limit. Once there is room, the key gets its own cell, which starts with a copy of the shared
 * state, so leaving the overflow never means a fresh budget. Both happen inside one atomic operation of the map, so a charge on the
 * shared cell either precedes the copy, or finds the new cell and is made there.
 */
final class Space {

    /** How many cells are visited when a key is added; {@link #MANY} if the store is full. */
    static final int FEW = 4;

    static final int MANY = 32;

    private static final int OVERFLOW_CELLS = 64;
    private static final int MAX_RECENT = 8;
    private static final int MAX_JUDGES = 1024;

    final String scope;

    private final Algorithms algorithms;
    private final TimeSource time;
    private final Room room;
    private final ConcurrentHashMap<String, Cell> cells = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Shared, Cell> overflow = new ConcurrentHashMap<>();
    final ConcurrentHashMap<Plan, Judge> judges = new ConcurrentHashMap<>();
    private final ReentrantLock sweeping = new ReentrantLock();
    private Iterator<Map.Entry<String, Cell>> walk = cells.entrySet().iterator();

    /** The plans that were bound last, found by identity; {@link #judges} finds plans by equality. */
    private volatile Bound[] recent = {};

    private record Bound(Plan plan, Judge judge) {}

    /** Names an overflow cell: keys share one if their limits have the same ids and their subjects fall into the same slot. */
    private record Shared(List<String> ids, int slot) {}

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

    private Decision take(String subject, Plan plan, long cost, long maxWaitMicros) {
        long now = time.nowMicros();
        Cell present = cells.get(subject);
        Decision quick = present != null ? present.take(plan, subject, cost, maxWaitMicros, now, time) : null;
        return quick != null ? quick : take(subject, judge(plan), cost, maxWaitMicros, now);
    }

    private Decision take(String subject, Judge judge, long cost, long maxWaitMicros, long readMicros) {
        while (true) {
            Cell cell = find(cells, subject, judge);
            Decision decision = cell != null
                    ? cell.take(judge.plan(), subject, cost, maxWaitMicros, readMicros, time)
                    : takeFirst(subject, judge, cost, maxWaitMicros);
            if (decision != null) {
                return decision;
            }
            retire(cells, subject, cell);
        }
    }

    /** Handles the first request of a key; {@code null} if another thread was first after all. */
    private @Nullable Decision takeFirst(String subject, Judge judge, long cost, long maxWaitMicros) {
        if (!overflow.isEmpty()
                && peekAbsent(subject, judge, cost) instanceof Decision.Denied denied
                && denied.retryAfterMicros() > maxWaitMicros) {
            room.countOverflow();
            return denied; // a denial needs no cell
        }
        First first = new First(judge, cost, maxWaitMicros, room.take(this));
        try {
            cells.computeIfAbsent(subject, first);
            return first.decision;
        } finally {
            if (first.roomy && !first.placed) {
                room.giveBack();
            }
        }
    }

    /** The atomic step that gives a key its cell and makes the first charge, there or on the overflow cell. */
    private final class First implements Function<String, @Nullable Cell> {

        final boolean roomy;
        boolean placed;

        @Nullable
        Decision decision;

        private final Judge judge;
        private final long cost;
        private final long maxWaitMicros;

        First(Judge judge, long cost, long maxWaitMicros, boolean roomy) {
            this.judge = judge;
            this.cost = cost;
            this.maxWaitMicros = maxWaitMicros;
            this.roomy = roomy;
        }

        @Override
        public @Nullable Cell apply(String subject) {
            if (!roomy) {
                room.countOverflow();
                decision = takeShared(subject, judge, cost, maxWaitMicros);
                return null;
            }
            long now = time.nowMicros();
            Cell cell = Cell.of(new Held(judge, start(subject, judge, now), Departed.NONE), now);
            decision = cell.take(judge.plan(), subject, cost, maxWaitMicros, now, time);
            placed = decision instanceof Decision.Allowed;
            Cell grown = cell.successor() == null ? cell : cell.successor();
            return placed ? grown : null;
        }
    }

    private Decision takeShared(String subject, Judge judge, long cost, long maxWaitMicros) {
        Shared shared = shared(subject, judge);
        while (true) {
            Cell cell = find(overflow, shared, judge);
            if (cell == null) {
                long now = time.nowMicros();
                overflow.putIfAbsent(shared, Cell.of(Held.fresh(judge, now), now));
                continue;
            }
            Decision decision = cell.take(judge.plan(), subject, cost, maxWaitMicros, time.nowMicros(), time);
            if (decision != null) {
                return decision;
            }
            retire(overflow, shared, cell);
        }
    }

    private Decision peek(String subject, Judge judge, long cost) {
        while (true) {
            Cell cell = find(cells, subject, judge);
            Decision decision = cell != null ? cell.peek(subject, cost, time) : peekAbsent(subject, judge, cost);
            if (decision != null) {
                return decision;
            }
            retire(cells, subject, cell);
        }
    }

    private Decision peekAbsent(String subject, Judge judge, long cost) {
        long now = time.nowMicros();
        return judge.peek(start(subject, judge, now), subject, cost, now);
    }

    private void refund(String subject, Judge judge, Decision.Allowed receipt) {
        long cost = receipt.claimRefund();
        if (cost > 0 && !refund(cells, subject, judge, receipt, cost)) {
            refund(overflow, shared(subject, judge), judge, receipt, cost);
        }
    }

    private <K> boolean refund(
            ConcurrentHashMap<K, Cell> map, K name, Judge judge, Decision.Allowed receipt, long cost) {
        for (Cell cell = find(map, name, judge); cell != null; cell = find(map, name, judge)) {
            if (cell.refund(receipt, cost, time)) {
                return true;
            }
            retire(map, name, cell);
        }
        return false;
    }

    /** Also resets the overflow cell: it is not known whose charges are in it. */
    private void reset(String subject, Judge judge) {
        reset(cells, subject, judge);
        reset(overflow, shared(subject, judge), judge);
    }

    private <K> void reset(ConcurrentHashMap<K, Cell> map, K name, Judge judge) {
        Cell cell = find(map, name, judge);
        while (cell != null) {
            boolean done = cell.reset(time);
            retire(map, name, cell);
            cell = done ? null : find(map, name, judge);
        }
    }

    /** The cell with the given name, moved to the given plan if it has another; {@code null} if there is none. */
    private <K> @Nullable Cell find(ConcurrentHashMap<K, Cell> map, K name, Judge judge) {
        while (true) {
            Cell cell = map.get(name);
            if (cell == null || cell.judge == judge) {
                return cell;
            }
            cell.move(judge, time);
            retire(map, name, cell);
        }
    }

    /** Removes a cell from the map if it has ended, or replaces it with the one that continues it. */
    @SuppressWarnings("ReferenceEquality") // identity tells the map of keys, whose cells take room, from the overflow
    private <K> void retire(ConcurrentHashMap<K, Cell> map, K name, @Nullable Cell cell) {
        if (cell == null || !cell.ended()) {
            return;
        }
        Cell successor = cell.successor();
        if (successor != null) {
            map.replace(name, cell, successor);
        } else if (map.remove(name, cell) && map == cells) {
            room.giveBack();
        }
    }

    /**
     * The state with which a key without a cell starts: a copy of the overflow cell that it may have shared, unless that is full;
     * else a fresh one.
     */
    private Object start(String subject, Judge judge, long nowMicros) {
        if (overflow.isEmpty()) {
            return judge.fresh(nowMicros);
        }
        Shared shared = shared(subject, judge);
        while (true) {
            Cell cell = find(overflow, shared, judge);
            Object state = cell == null ? null : cell.copyUnlessFull(time);
            if (state != null) {
                return state;
            }
            boolean fresh = cell == null || cell.forgetIfFull(time);
            retire(overflow, shared, cell);
            if (fresh) {
                return judge.fresh(nowMicros);
            }
        }
    }

    private static Shared shared(String subject, Judge judge) {
        int hash = subject.hashCode();
        return new Shared(judge.ids(), (hash ^ hash >>> 16) & OVERFLOW_CELLS - 1);
    }

    @SuppressWarnings("ReferenceEquality") // intended: recent plans are found by identity
    private Judge judge(Plan plan) {
        for (Bound each : recent) {
            if (each.plan == plan) {
                return each.judge;
            }
        }
        return bind(plan);
    }

    private Judge bind(Plan plan) {
        if (judges.size() >= MAX_JUDGES) { // plans keep changing: the judges still in use are created again
            judges.clear();
            recent = new Bound[0];
        }
        Judge judge = judges.computeIfAbsent(plan, missing -> new Judge(missing, algorithms));
        Bound[] known = recent;
        Bound[] next = new Bound[Math.min(known.length + 1, MAX_RECENT)];
        next[0] = new Bound(plan, judge);
        System.arraycopy(known, 0, next, 1, next.length - 1);
        recent = next;
        return judge;
    }

    /** Visits up to {@code count} cells and forgets those with a full budget; does nothing while another thread is sweeping. */
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
                    retire(cells, entry.getKey(), entry.getValue());
                }
            }
        } finally {
            sweeping.unlock();
        }
    }

    /** How many keys have a cell. */
    int size() {
        return cells.size();
    }
}
