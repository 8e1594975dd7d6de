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
 * <p>What the {@linkplain Packing packed} step cannot do, such as reserving a future slot, is done on the unpacked state. If the
 * result does not fit into a word, the cell ends and a cell that can hold the result replaces it. The receipt of a charge is this
 * cell and the word right after the charge; a key that was reset since then has another cell.
 */
final class PackedCell extends Cell implements Packing.Holder {

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
            if (cost > limit.burst() || maxWaitMicros > 0) {
                return takeUnpacked(subject, cost, maxWaitMicros, time);
            }
            long sound = packing.rebase(before, now);
            if (sound != before) {
                now = time.nowMicros();
                sound = packing.rebase(before, now);
            }
            long wait = packing.waitMicros(sound, cost, now);
            if (wait > 0) {
                mend(before, sound);
                long full = packing.fullInMicros(sound, now);
                long remaining = cost == 1 ? 0 : packing.remaining(sound, now);
                return new Decision.Denied(limit, remaining, wait, full, List.of());
            }
            long next = packing.take(sound, cost, now);
            if (WORD.compareAndSet(this, before, next)) {
                return granted(subject, cost, next, now);
            }
        }
    }

    /** Stores the rebased word, the one change that a denial may make. If another writer was faster, it has rebased the word as well. */
    private void mend(long before, long sound) {
        if (sound != before) {
            WORD.compareAndSet(this, before, sound);
        }
    }

    private Decision granted(String subject, long cost, long next, long now) {
        return Grant.of(boundPlan.limit(), subject, cost, packing.remaining(next, now), this, next, now);
    }

    private @Nullable Decision takeUnpacked(String subject, long cost, long maxWaitMicros, TimeSource time) {
        while (true) {
            long before = word;
            if (before == ENDED) {
                return null;
            }
            long now = time.nowMicros();
            Object state = unpack(before, now);
            Decision decision = boundPlan.take(state, subject, cost, maxWaitMicros, now);
            if (!(decision instanceof Grant granted) || granted.stamp() == null) {
                mend(before, packing.rebase(before, now));
                return decision;
            }
            long next = packing.pack(granted.stamp(), now);
            if (next != Packing.NONE && WORD.compareAndSet(this, before, next)) {
                return granted(subject, cost, next, now);
            }
            if (next == Packing.NONE && end(before, new ReferenceCell(held(granted.stamp())))) {
                return granted;
            }
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
        while (true) {
            long before = word;
            if (before == ENDED) {
                return false;
            }
            long now = time.nowMicros();
            Object charged = charged(receipt);
            if (charged == null) {
                return true;
            }
            Object refunded = boundPlan.refund(unpack(before, now), receipt, charged, cost, now);
            long next = packing.pack(refunded, now);
            boolean done = next == Packing.NONE
                    ? end(before, new ReferenceCell(held(refunded)))
                    : WORD.compareAndSet(this, before, next);
            if (done) {
                return true;
            }
        }
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
            Cell moved = Cell.of(held(unpack(before, now)).under(next, now), now);
            if (end(before, moved)) {
                return;
            }
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

    @Override
    public BoundPlan boundPlan() {
        return boundPlan;
    }

    private KeyState held(Object state) {
        return new KeyState(boundPlan, state, RetiredLimits.NONE);
    }

    private Object unpack(long word, long nowMicros) {
        return packing.unpack(packing.rebase(word, nowMicros), born(), nowMicros);
    }

    /** The number that distinguishes the states of this cell from those of others. */
    int born() {
        return System.identityHashCode(this);
    }

    /** The state right after a charge that this cell wrote, with the {@code born} of the cell that continues it. */
    Object unpackCharged(Grant receipt, int born) {
        return packing.unpackCharged(receipt.stampWord(), born, receipt.remaining());
    }

    /** Whether charges that this cell wrote can still be distinguished from others once the key has the later plan. */
    boolean tells(BoundPlan later) {
        int place = later.plan().ids().indexOf(boundPlan.plan().ids().get(0));
        return later == boundPlan
                || (place >= 0 && packing.tells(later.plan().limits().get(place)));
    }
}
