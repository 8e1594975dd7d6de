package io.headgate.memory;

import io.headgate.Decision;
import io.headgate.Judge;
import io.headgate.TimeSource;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key, replaced by one compare-and-set per decision.
 *
 * <p>The time is read after the state. So a decision never computes with an earlier time than the one that wrote the state it
 * reads, and no permit flows off twice. A cell ends once: it is {@linkplain #forget forgotten}, or it is {@linkplain #move
 * moved} because the key's plan has changed. Every method then answers {@code null} and the caller looks the key up again.
 */
class Cell {

    /** In place of the state of a cell that was forgotten. */
    private static final Object GONE = new Object();

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Cell.class, "state", Object.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    final Judge judge;

    private volatile Object state;

    private Cell(Judge judge, Object state) {
        this.judge = judge;
        this.state = state;
    }

    static Cell of(Judge judge, Object state) {
        return judge.sharesMemory() ? new Locked(judge, state) : new Cell(judge, state);
    }

    @Nullable
    Decision take(String subject, long cost, long maxWaitMicros, TimeSource time) {
        while (true) {
            Object before = state;
            if (ended(before)) {
                return null;
            }
            long now = time.nowMicros();
            Decision decision = judge.take(before, subject, cost, maxWaitMicros, now);
            if (!(decision instanceof Decision.Allowed granted)) {
                mend(before, now);
                return decision;
            }
            if (STATE.compareAndSet(this, before, granted.stamp())) {
                return decision;
            }
        }
    }

    /** The one change a denial may make. If another writer was faster, it has mended the state as well. */
    private void mend(Object before, long now) {
        Object sound = judge.rebase(before, now);
        if (sound != before) {
            STATE.compareAndSet(this, before, sound);
        }
    }

    @Nullable
    Decision peek(String subject, long cost, TimeSource time) {
        Object current = state;
        return ended(current) ? null : judge.peek(current, subject, cost, time.nowMicros());
    }

    /** Takes a charge back; false if the cell has ended. */
    boolean refund(Object charged, long cost, TimeSource time) {
        while (true) {
            Object before = state;
            if (ended(before)) {
                return false;
            }
            if (STATE.compareAndSet(this, before, judge.refund(before, charged, cost, time.nowMicros()))) {
                return true;
            }
        }
    }

    /** Ends the cell if its budget is full again, so that nobody can see it go. */
    boolean forgetIfFull(TimeSource time) {
        Object before = state;
        if (ended(before)) {
            return false;
        }
        long now = time.nowMicros();
        return judge.fullAtMicros(before, now) <= now && STATE.compareAndSet(this, before, GONE);
    }

    /** Ends the cell whatever was spent; false if it has ended already. */
    boolean forget() {
        Object before = state;
        while (!ended(before)) {
            if (STATE.compareAndSet(this, before, GONE)) {
                return true;
            }
            before = state;
        }
        return false;
    }

    /** Ends the cell, if it has not ended, in favour of one that continues its state under another plan. */
    void move(Judge next, TimeSource time) {
        Object before = state;
        while (!ended(before)) {
            Cell successor = Cell.of(next, next.carry(judge, before, time.nowMicros()));
            if (STATE.compareAndSet(this, before, successor)) {
                return;
            }
            before = state;
        }
    }

    /** A copy of the state, or {@code null} if the cell has ended or its budget is full again. */
    @Nullable
    Object copyUnlessFull(TimeSource time) {
        Object current = state;
        if (ended(current)) {
            return null;
        }
        long now = time.nowMicros();
        return judge.fullAtMicros(current, now) <= now ? null : judge.copy(current);
    }

    /** The cell that continues this one, if it was moved. */
    @Nullable
    Cell successor() {
        return state instanceof Cell moved ? moved : null;
    }

    private static boolean ended(Object state) {
        return state == GONE || state instanceof Cell;
    }

    /** A cell whose states share memory, so that its steps must not overlap. Nothing waits while it holds the lock. */
    private static final class Locked extends Cell {

        Locked(Judge judge, Object state) {
            super(judge, state);
        }

        @Override
        synchronized @Nullable Decision take(String subject, long cost, long maxWaitMicros, TimeSource time) {
            return super.take(subject, cost, maxWaitMicros, time);
        }

        @Override
        synchronized @Nullable Decision peek(String subject, long cost, TimeSource time) {
            return super.peek(subject, cost, time);
        }

        @Override
        synchronized boolean refund(Object charged, long cost, TimeSource time) {
            return super.refund(charged, cost, time);
        }

        @Override
        synchronized boolean forgetIfFull(TimeSource time) {
            return super.forgetIfFull(time);
        }

        @Override
        synchronized boolean forget() {
            return super.forget();
        }

        @Override
        synchronized void move(Judge next, TimeSource time) {
            super.move(next, time);
        }

        @Override
        synchronized @Nullable Object copyUnlessFull(TimeSource time) {
            return super.copyUnlessFull(time);
        }
    }
}
