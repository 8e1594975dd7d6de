package io.headgate.memory;

import io.headgate.Decision;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import io.headgate.engine.KeyState;
import io.headgate.engine.Packing;
import org.jspecify.annotations.Nullable;

/**
 * The state of one key, and the atomic steps on it.
 *
 * <p>A request reads the time before the state, so that only a few instructions lie between reading the state and the
 * compare-and-set that replaces it, and the processor looks up the cell while it waits for the clock. If the state turns out to be
 * of a later time, because another thread wrote it meanwhile, the time is read once more; a state that is ahead even of that was
 * written before the clock stepped back. All other operations read the time after the state.
 *
 * <p>A cell ends once: it is {@linkplain #forgetIfFull forgotten}, {@linkplain #reset reset}, or {@linkplain #move moved} because
 * the key's plan has changed. After that its steps return {@code null} or false, and the caller looks the key up again.
 */
abstract class Cell {

    final BoundPlan boundPlan;

    Cell(BoundPlan boundPlan) {
        this.boundPlan = boundPlan;
    }

    /** The smallest kind of cell that can hold the content of a key that has no cell yet. */
    static Cell of(KeyState held, long nowMicros) {
        Packing<Object> packing = held.boundPlan().packing();
        long word = packing == null ? Packing.NONE : packing.pack(held.state(), nowMicros);
        return packing != null && word != Packing.NONE
                ? new PackedCell(held.boundPlan(), packing, word)
                : unpacked(held);
    }

    /** A cell that goes on where another ended: a state that was packed anew could not tell earlier charges from others. */
    static Cell unpacked(KeyState held) {
        return held.boundPlan().sharesMemory() ? new LockedCell(held) : new ReferenceCell(held);
    }

    /**
     * Takes permits under the given plan; {@code null} if the cell has another plan or has ended.
     *
     * @param readMicros the time that was read when the request came
     */
    abstract @Nullable Decision take(
            BoundPlan under, String subject, long cost, long maxWaitMicros, long readMicros, TimeSource time);

    abstract @Nullable Decision peek(String subject, long cost, TimeSource time);

    /** Takes a charge back; false if the cell has ended, perhaps only now. */
    abstract boolean refund(Grant receipt, long cost, TimeSource time);

    /** Ends the cell if its budget has been full for the given time, or since right now if that is 0; this has no visible effect. */
    abstract boolean forgetIfFull(TimeSource time, long idleMicros);

    /** Ends the cell, whatever was spent under its plan. If limits have left the plan, a new cell keeps their states. */
    abstract boolean reset(TimeSource time);

    /** Ends the cell and replaces it with one that continues its state under another plan. */
    abstract void move(BoundPlan next, TimeSource time);

    /** A copy of the state, or {@code null} if the cell has ended or its budget is full again. */
    abstract @Nullable Object copyUnlessFull(TimeSource time);

    abstract boolean ended();

    /** The cell that continues this one; {@code null} if there is none. */
    abstract @Nullable Cell successor();
}
