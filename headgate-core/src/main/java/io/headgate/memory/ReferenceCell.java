package io.headgate.memory;

import io.headgate.Decision;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import io.headgate.engine.KeyState;
import io.headgate.engine.RetiredLimits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/** A cell that holds an immutable state and replaces it with one compare-and-set per decision. */
class ReferenceCell extends Cell {

    /** The state of a cell that was forgotten. */
    private static final Object GONE = new Object();

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(ReferenceCell.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /** The state; {@link #GONE} or the successor {@link Cell} once this cell has ended. */
    private volatile Object state;

    private final RetiredLimits retired;

    ReferenceCell(KeyState held) {
        super(held.boundPlan());
        this.state = held.state();
        this.retired = held.retired();
    }

    @Override
    @Nullable
    Decision take(BoundPlan under, String subject, long cost, long maxWaitMicros, long readMicros, TimeSource time) {
        long now = readMicros;
        while (true) {
            Object before = state;
            if (ended(before) || !boundPlan.isSameAs(under)) {
                return null;
            }
            Object sound = boundPlan.rebase(before, now);
            if (sound != before) {
                now = time.nowMicros();
                sound = boundPlan.rebase(before, now);
            }
            Decision decision = boundPlan.takeRebased(sound, subject, cost, maxWaitMicros, now);
            if (!(decision instanceof Grant granted)) {
                mend(before, sound);
                return decision;
            }
            if (replace(before, granted.stamp())) {
                return decision;
            }
        }
    }

    /**
     * Stores the rebased state, the one change that a denial may make. If another writer was faster, it has rebased the state as
     * well.
     */
    private void mend(Object before, Object sound) {
        if (sound != before) {
            replace(before, sound);
        }
    }

    @Override
    @Nullable
    Decision peek(String subject, long cost, TimeSource time) {
        Object current = state;
        return ended(current) ? null : boundPlan.peek(current, subject, cost, time.nowMicros());
    }

    @Override
    boolean refund(Grant receipt, long cost, TimeSource time) {
        while (true) {
            Object before = state;
            if (ended(before)) {
                return false;
            }
            long now = time.nowMicros();
            if (replace(before, boundPlan.refund(before, receipt, receipt.charged(), cost, now))) {
                return true;
            }
        }
    }

    @Override
    boolean forgetIfFull(TimeSource time, long idleMicros) {
        Object before = state;
        if (ended(before)) {
            return false;
        }
        long now = time.nowMicros();
        return held(before).fullAtMicros(now) <= now - idleMicros && replace(before, GONE);
    }

    @Override
    boolean reset(TimeSource time) {
        Object before = state;
        while (!ended(before)) {
            long now = time.nowMicros();
            KeyState fresh = held(before).reset(now);
            Object after = fresh.retired().isEmpty() ? GONE : Cell.unpacked(fresh);
            if (replace(before, after)) {
                return true;
            }
            before = state;
        }
        return false;
    }

    @Override
    void move(BoundPlan next, TimeSource time) {
        Object before = state;
        while (!ended(before)) {
            long now = time.nowMicros();
            Cell successor = Cell.unpacked(held(before).under(next, now));
            if (replace(before, successor)) {
                return;
            }
            before = state;
        }
    }

    @Override
    @Nullable
    Object copyUnlessFull(TimeSource time) {
        Object current = state;
        if (ended(current)) {
            return null;
        }
        long now = time.nowMicros();
        return boundPlan.fullAtMicros(current, now) <= now ? null : boundPlan.copy(current);
    }

    @Override
    boolean ended() {
        return ended(state);
    }

    @Override
    @Nullable
    Cell successor() {
        return state instanceof Cell moved ? moved : null;
    }

    private KeyState held(Object current) {
        return new KeyState(boundPlan, current, retired);
    }

    /** Sets the state if it is still {@code before}, and returns whether it was. */
    boolean replace(Object before, @Nullable Object after) {
        return STATE.compareAndSet(this, before, after);
    }

    /** Sets the state without a comparison. Only for callers that exclude concurrent writers. */
    final void set(@Nullable Object after) {
        STATE.setRelease(this, after);
    }

    private static boolean ended(Object state) {
        return state == GONE || state instanceof Cell;
    }
}
