package io.headgate.memory;

import io.headgate.Decision;
import io.headgate.Operation;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import io.headgate.engine.KeyState;
import io.headgate.engine.RetiredLimits;
import java.util.Objects;
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
 * table closed, adds nothing, and opens the scope again.
 */
final class ScopeTable {

    final String scope;

    final KeyTable keys;
    final Overflow overflow;

    private final TimeSource time;
    private final KeyCapacity capacity;

    /** Since when the sweep has found the scope empty; guarded by the {@link Sweep}. */
    private long emptySinceMicros = Long.MAX_VALUE;

    /** Whether the walk is in the overflow; guarded by the {@link Sweep}. */
    private boolean inOverflow;

    ScopeTable(String scope, TimeSource time, KeyCapacity capacity) {
        this.scope = scope;
        this.time = time;
        this.capacity = capacity;
        this.keys = new KeyTable(time, capacity);
        this.overflow = new Overflow(time);
    }

    /** Applies an operation; {@code null} if the scope has been closed. */
    @Nullable
    Decision apply(String subject, BoundPlan boundPlan, Operation operation) {
        if (operation instanceof Operation.Take take) {
            return take(subject, boundPlan, take.cost(), take.maxWaitMicros());
        }
        if (operation instanceof Operation.Refund refund) {
            refund(subject, boundPlan, Grant.madeInProcess(refund.receipt()));
        } else if (operation instanceof Operation.Reset) {
            reset(subject, boundPlan);
        }
        return peek(subject, boundPlan, operation instanceof Operation.Peek peek ? peek.cost() : 1);
    }

    private @Nullable Decision take(String subject, BoundPlan boundPlan, long cost, long maxWaitMicros) {
        long now = time.nowMicros();
        Cell present = keys.get(subject);
        Decision quick = present != null ? present.take(boundPlan, subject, cost, maxWaitMicros, now, time) : null;
        return quick != null ? quick : take(subject, boundPlan, cost, maxWaitMicros, now);
    }

    private @Nullable Decision take(
            String subject, BoundPlan boundPlan, long cost, long maxWaitMicros, long readMicros) {
        while (true) {
            Cell cell = keys.find(subject, boundPlan);
            Decision decision = cell != null
                    ? cell.take(boundPlan, subject, cost, maxWaitMicros, readMicros, time)
                    : takeFirst(subject, boundPlan, cost, maxWaitMicros);
            if (decision != null || keys.closed()) {
                return decision;
            }
            keys.retire(subject, cell);
        }
    }

    /** Handles the first request of a key; {@code null} if another thread was first after all, or the scope has been closed. */
    private @Nullable Decision takeFirst(String subject, BoundPlan boundPlan, long cost, long maxWaitMicros) {
        if (!overflow.isEmpty()
                && peekAbsent(subject, boundPlan, cost) instanceof Decision.Denied denied
                && denied.retryAfterMicros() > maxWaitMicros) {
            capacity.countOverflow();
            return denied; // a denial needs no cell
        }
        First first = new First(boundPlan, cost, maxWaitMicros, capacity.take());
        try {
            keys.addIfAbsent(subject, first);
            return first.decision;
        } finally {
            if (first.roomy && !first.placed) {
                capacity.giveBack();
            }
        }
    }

    /** The atomic step that gives a key its cell and makes the first charge, there or on the overflow cell. */
    private final class First implements Function<String, @Nullable Cell> {

        final boolean roomy;
        boolean placed;

        @Nullable
        Decision decision;

        private final BoundPlan boundPlan;
        private final long cost;
        private final long maxWaitMicros;

        First(BoundPlan boundPlan, long cost, long maxWaitMicros, boolean roomy) {
            this.boundPlan = boundPlan;
            this.cost = cost;
            this.maxWaitMicros = maxWaitMicros;
            this.roomy = roomy;
        }

        @Override
        public @Nullable Cell apply(String subject) {
            if (!roomy) {
                capacity.countOverflow();
                decision = overflow.take(subject, boundPlan, cost, maxWaitMicros);
                return null;
            }
            long now = time.nowMicros();
            Cell cell =
                    Cell.of(new KeyState(boundPlan, overflow.start(subject, boundPlan, now), RetiredLimits.NONE), now);
            decision = cell.take(boundPlan, subject, cost, maxWaitMicros, now, time);
            while (decision == null) { // it could not be packed
                cell = Objects.requireNonNull(cell.successor());
                decision = cell.take(boundPlan, subject, cost, maxWaitMicros, now, time);
            }
            placed = decision instanceof Decision.Allowed;
            return placed ? cell : null;
        }
    }

    private @Nullable Decision peek(String subject, BoundPlan boundPlan, long cost) {
        while (true) {
            Cell cell = keys.find(subject, boundPlan);
            Decision decision = cell != null ? cell.peek(subject, cost, time) : peekAbsent(subject, boundPlan, cost);
            if (keys.closed()) {
                return null;
            }
            if (decision != null) {
                return decision;
            }
            keys.retire(subject, cell);
        }
    }

    private Decision peekAbsent(String subject, BoundPlan boundPlan, long cost) {
        long now = time.nowMicros();
        return boundPlan.peek(overflow.start(subject, boundPlan, now), subject, cost, now);
    }

    private void refund(String subject, BoundPlan boundPlan, Grant receipt) {
        long cost = receipt.claimRefund();
        if (cost > 0 && !keys.refund(subject, boundPlan, receipt, cost)) {
            overflow.refund(Overflow.Shared.of(subject, boundPlan), boundPlan, receipt, cost);
        }
    }

    /** Also resets the overflow cell: it is not known whose charges are in it. */
    private void reset(String subject, BoundPlan boundPlan) {
        keys.reset(subject, boundPlan);
        overflow.reset(Overflow.Shared.of(subject, boundPlan), boundPlan);
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
