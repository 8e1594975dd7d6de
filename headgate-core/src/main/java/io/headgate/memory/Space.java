package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Departed;
import io.headgate.Held;
import io.headgate.Judge;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.TimeSource;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The cells of one scope.
 *
 * <p>How keys are added and forgotten. The state of a key recovers by itself: once its budget is full again, a forgotten key and a
 * remembered one get the same answers. So no access order is kept. A thread that adds a key first takes a few steps of the
 * {@link Sweep}, which forgets cells with a full budget. A flood of new keys can therefore not evict a key that is being limited.
 *
 * <p>If there is still no room, the new key is decided on one of a few {@linkplain Overflow overflow cells} that it shares with
 * other keys: more strictly than asked, but never without a limit. Once there is room, the key gets its own cell, which starts with a
 * copy of the shared state, so leaving the overflow never means a fresh budget. Both happen inside one atomic operation of the
 * {@link KeyTable}, so a charge on the shared cell either precedes the copy, or finds the new cell and is made there.
 *
 * <p>A scope that has been empty for a while is closed. That too is one atomic operation of the table: who comes later finds the
 * space closed, adds nothing, and opens the scope again.
 */
final class Space {

    final String scope;
    final Judges judges;

    final KeyTable keys;
    final Overflow overflow;

    private final TimeSource time;
    private final Room room;

    /** Since when the sweep has found the scope empty; guarded by the {@link Sweep}. */
    private long emptySinceMicros = Long.MAX_VALUE;

    /** Whether the walk is in the overflow; guarded by the {@link Sweep}. */
    private boolean inOverflow;

    Space(String scope, Algorithms algorithms, TimeSource time, Room room) {
        this.scope = scope;
        this.judges = new Judges(algorithms);
        this.time = time;
        this.room = room;
        this.keys = new KeyTable(time, room);
        this.overflow = new Overflow(time);
    }

    /** Applies an operation; {@code null} if the scope has been closed. */
    @Nullable
    Decision apply(String subject, Plan plan, Operation operation) {
        if (operation instanceof Operation.Take take) {
            return take(subject, plan, take.cost(), take.maxWaitMicros());
        }
        Judge judge = judges.of(plan);
        if (operation instanceof Operation.Refund refund) {
            refund(subject, judge, refund.receipt());
        } else if (operation instanceof Operation.Reset) {
            reset(subject, judge);
        }
        return peek(subject, judge, operation instanceof Operation.Peek peek ? peek.cost() : 1);
    }

    private @Nullable Decision take(String subject, Plan plan, long cost, long maxWaitMicros) {
        long now = time.nowMicros();
        Cell present = keys.get(subject);
        Decision quick = present != null ? present.take(plan, subject, cost, maxWaitMicros, now, time) : null;
        return quick != null ? quick : take(subject, judges.of(plan), cost, maxWaitMicros, now);
    }

    private @Nullable Decision take(String subject, Judge judge, long cost, long maxWaitMicros, long readMicros) {
        while (true) {
            Cell cell = keys.find(subject, judge);
            Decision decision = cell != null
                    ? cell.take(judge.plan(), subject, cost, maxWaitMicros, readMicros, time)
                    : takeFirst(subject, judge, cost, maxWaitMicros);
            if (decision != null || keys.closed()) {
                return decision;
            }
            keys.retire(subject, cell);
        }
    }

    /** Handles the first request of a key; {@code null} if another thread was first after all, or the scope has been closed. */
    private @Nullable Decision takeFirst(String subject, Judge judge, long cost, long maxWaitMicros) {
        if (!overflow.isEmpty()
                && peekAbsent(subject, judge, cost) instanceof Decision.Denied denied
                && denied.retryAfterMicros() > maxWaitMicros) {
            room.countOverflow();
            return denied; // a denial needs no cell
        }
        First first = new First(judge, cost, maxWaitMicros, room.take());
        try {
            keys.addIfAbsent(subject, first);
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
                decision = overflow.take(subject, judge, cost, maxWaitMicros);
                return null;
            }
            long now = time.nowMicros();
            Cell cell = Cell.of(new Held(judge, overflow.start(subject, judge, now), Departed.NONE), now);
            decision = cell.take(judge.plan(), subject, cost, maxWaitMicros, now, time);
            placed = decision instanceof Decision.Allowed;
            Cell grown = cell.successor() == null ? cell : cell.successor();
            return placed ? grown : null;
        }
    }

    private @Nullable Decision peek(String subject, Judge judge, long cost) {
        while (true) {
            Cell cell = keys.find(subject, judge);
            Decision decision = cell != null ? cell.peek(subject, cost, time) : peekAbsent(subject, judge, cost);
            if (keys.closed()) {
                return null;
            }
            if (decision != null) {
                return decision;
            }
            keys.retire(subject, cell);
        }
    }

    private Decision peekAbsent(String subject, Judge judge, long cost) {
        long now = time.nowMicros();
        return judge.peek(overflow.start(subject, judge, now), subject, cost, now);
    }

    private void refund(String subject, Judge judge, Decision.Allowed receipt) {
        long cost = receipt.claimRefund();
        if (cost > 0 && !keys.refund(subject, judge, receipt, cost)) {
            overflow.refund(Overflow.Shared.of(subject, judge), judge, receipt, cost);
        }
    }

    /** Also resets the overflow cell: it is not known whose charges are in it. */
    private void reset(String subject, Judge judge) {
        keys.reset(subject, judge);
        overflow.reset(Overflow.Shared.of(subject, judge), judge);
    }

    /** Takes one step of the sweep through the cells of this scope. */
    Cells.Step step(long idleMicros) {
        Cells<?> walked = inOverflow ? overflow : keys;
        Cells.Step step = walked.step(idleMicros);
        if (step != Cells.Step.END) {
            return step;
        }
        inOverflow = !inOverflow;
        return inOverflow ? Cells.Step.NEXT_PART : Cells.Step.END;
    }

    /** Closes the scope for ever if the sweep has found it empty for long. */
    boolean closeIfUnused() {
        if (!keys.isEmpty() || !overflow.isEmpty()) {
            emptySinceMicros = Long.MAX_VALUE;
            return false;
        }
        long now = time.nowMicros();
        if (emptySinceMicros > now) { // not empty when it was last looked at, or the clock has stepped back
            emptySinceMicros = now;
        }
        return now - emptySinceMicros >= Sweep.IDLE_MICROS && keys.closeIfEmpty(overflow);
    }
}
