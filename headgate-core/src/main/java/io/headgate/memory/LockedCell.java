package io.headgate.memory;

import io.headgate.Decision;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import io.headgate.engine.KeyState;
import org.jspecify.annotations.Nullable;

/** A cell whose states share memory, so that its steps must not overlap. No step waits for anything while it holds the lock. */
final class LockedCell extends ReferenceCell {

    /** The time of the last request; a request that waited for the lock and read an earlier time reads the clock again. */
    private long lastMicros;

    LockedCell(KeyState held) {
        super(held);
    }

    @Override
    synchronized @Nullable Decision take(
            BoundPlan under, String subject, long cost, long maxWaitMicros, long readMicros, TimeSource time) {
        lastMicros = readMicros < lastMicros ? time.nowMicros() : readMicros;
        return super.take(under, subject, cost, maxWaitMicros, lastMicros, time);
    }

    @Override
    synchronized @Nullable Decision peek(String subject, long cost, TimeSource time) {
        return super.peek(subject, cost, time);
    }

    @Override
    synchronized boolean refund(Grant receipt, long cost, TimeSource time) {
        return super.refund(receipt, cost, time);
    }

    @Override
    synchronized boolean forgetIfFull(TimeSource time, long idleMicros) {
        return super.forgetIfFull(time, idleMicros);
    }

    @Override
    synchronized boolean reset(TimeSource time) {
        return super.reset(time);
    }

    @Override
    synchronized void move(BoundPlan next, TimeSource time) {
        super.move(next, time);
    }

    @Override
    synchronized @Nullable Object copyUnlessFull(TimeSource time) {
        return super.copyUnlessFull(time);
    }

    /** Sets the state without a comparison: every step holds the lock, so no other thread has changed the state since. */
    @Override
    boolean replace(Object before, @Nullable Object after) {
        assert Thread.holdsLock(this);
        set(after);
        return true;
    }
}
