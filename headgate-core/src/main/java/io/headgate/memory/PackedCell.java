package io.headgate.memory;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import io.headgate.engine.KeyState;
import io.headgate.engine.Packing;
import io.headgate.engine.RetiredLimits;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A cell that holds its state in one long: a decision allocates nothing but itself, and the write needs no garbage collector
 * barrier.
 *
 * <p>It takes permits and does nothing else to a state. For whatever else changes it (a future slot, a refund, another plan), the cell
 * ends and a cell with the unpacked state goes on, where the step is made again. Most keys never need that.
 */
final class PackedCell extends Cell {

    /** The word of a cell that has ended. Other words are not negative. */
    private static final long ENDED = -1;

    private static final VarHandle WORD;

    static {
        try {
            WORD = MethodHandles.lookup().findVarHandle(PackedCell.class, "word", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Packing<Object> packing;
    private volatile long word;

    /** The cell that continues this one; set under the monitor before the cell ends. */
    private volatile @Nullable Cell successor;

    PackedCell(BoundPlan boundPlan, Packing<Object> packing, long word) {
        super(boundPlan);
        this.packing = packing;
        this.word = word;
    }

    @Override
    @Nullable
    Decision take(BoundPlan under, String subject, long cost, long maxWaitMicros, long readMicros, TimeSource time) {
        long now = readMicros;
        while (true) {
            long before = word;
            if (before == ENDED || !boundPlan.isSameAs(under)) {
                return null;
            }
            Limit limit = boundPlan.limit();
            if (cost > limit.burst()) {
                return peek(subject, cost, time); // which says that it is impossible
            }
            long sound = packing.rebase(before, now);
            if (sound != before) {
                now = time.nowMicros();
                sound = packing.rebase(before, now);
            }
            long wait = packing.waitMicros(sound, cost, now);
            if (wait > 0) {
                if (wait <= maxWaitMicros) {
                    endUnpacked(before, now);
                    return null;
                }
                mend(before, sound);
                long full = packing.fullInMicros(sound, now);
                long remaining = cost == 1 ? 0 : packing.remaining(sound, now);
                return new Decision.Denied(limit, remaining, wait, full, List.of());
            }
            long next = packing.take(sound, cost, now);
            if (WORD.compareAndSet(this, before, next)) {
                return Grant.ofPacked(boundPlan, subject, cost, packing.remaining(next, now), this, next, now);
            }
        }
    }

    /** Stores the rebased word, the one change that a denial may make. If another writer was faster, it has rebased the word as well. */
    private void mend(long before, long sound) {
        if (sound != before) {
            WORD.compareAndSet(this, before, sound);
        }
    }

    @Override
    @Nullable
    Decision peek(String subject, long cost, TimeSource time) {
        long current = word;
        if (current == ENDED) {
            return null;
        }
        long now = time.nowMicros();
        return boundPlan.peek(unpack(current, now), subject, cost, now);
    }

    @Override
    boolean refund(Grant receipt, long cost, TimeSource time) {
        endUnpacked(word, time.nowMicros());
        return false;
    }

    @Override
    boolean forgetIfFull(TimeSource time, long idleMicros) {
        long before = word;
        if (before == ENDED) {
            return false;
        }
        long now = time.nowMicros();
        return full(before, now) && full(before, Math.max(0, now - idleMicros)) && end(before, null);
    }

    @Override
    boolean reset(TimeSource time) {
        for (long before = word; before != ENDED; before = word) {
            if (end(before, null)) {
                return true;
            }
        }
        return false;
    }

    @Override
    void move(BoundPlan next, TimeSource time) {
        for (long before = word; before != ENDED; before = word) {
            long now = time.nowMicros();
            if (end(before, Cell.unpacked(held(before, now).under(next, now)))) {
                return;
            }
        }
    }

    private void endUnpacked(long before, long nowMicros) {
        if (before != ENDED) {
            end(before, Cell.unpacked(held(before, nowMicros)));
        }
    }

    /** Ends the cell if it still holds the given word. Synchronized, so that the successor belongs to the thread that ended the cell. */
    private synchronized boolean end(long before, @Nullable Cell next) {
        if (word == ENDED) {
            return false;
        }
        successor = next;
        return WORD.compareAndSet(this, before, ENDED);
    }

    @Override
    @Nullable
    Object copyUnlessFull(TimeSource time) {
        long current = word;
        if (current == ENDED) {
            return null;
        }
        long now = time.nowMicros();
        return full(current, now) ? null : unpack(current, now);
    }

    private boolean full(long word, long nowMicros) {
        return packing.fullInMicros(packing.rebase(word, nowMicros), nowMicros) <= 0;
    }

    @Override
    boolean ended() {
        return word == ENDED;
    }

    @Override
    @Nullable
    Cell successor() {
        return word == ENDED ? successor : null;
    }

    private KeyState held(long word, long nowMicros) {
        return new KeyState(boundPlan, unpack(word, nowMicros), RetiredLimits.NONE);
    }

    private Object unpack(long word, long nowMicros) {
        return packing.unpack(packing.rebase(word, nowMicros), Grant.born(this), nowMicros);
    }
}
