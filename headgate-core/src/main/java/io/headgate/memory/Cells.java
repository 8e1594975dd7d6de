package io.headgate.memory;

import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import io.headgate.engine.Grant;
import java.util.Collections;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Cells by name, and the walk that forgets them.
 *
 * <p>A cell is forgotten in two steps: it is marked as ended, then removed. A writer that finds an ended cell removes it and starts
 * over, so no charge is made on a cell that nobody will look up again.
 *
 * @param <K> the name of a cell
 */
abstract class Cells<K> {

    /** What one step of the walk did. */
    enum Step {
        FORGOTTEN,
        KEPT,
        NEXT_PART,
        END
    }

    final TimeSource time;

    /** The rest of the part that the walk is in; guarded by the {@link Sweep}. */
    private Iterator<Map.Entry<K, Cell>> walk = Collections.emptyIterator();

    Cells(TimeSource time) {
        this.time = time;
    }

    /** Looks a cell up without a lock. */
    abstract @Nullable Cell get(K name);

    abstract void replace(K name, Cell ended, Cell successor);

    abstract void remove(K name, Cell ended);

    /** The next part of the walk; {@code null} at its end, after which it begins again. */
    abstract @Nullable Iterator<Map.Entry<K, Cell>> nextPart();

    /** The cell with the given name, moved to the given plan if it has another; {@code null} if there is none. */
    final @Nullable Cell find(K name, BoundPlan boundPlan) {
        while (true) {
            Cell cell = get(name);
            if (cell == null || cell.boundPlan.isSameAs(boundPlan)) {
                return cell;
            }
            cell.move(boundPlan, time);
            retire(name, cell);
        }
    }

    /** Removes a cell if it has ended, or replaces it with the one that continues it. */
    final void retire(K name, @Nullable Cell cell) {
        if (cell == null || !cell.ended()) {
            return;
        }
        Cell successor = cell.successor();
        if (successor != null) {
            replace(name, cell, successor);
        } else {
            remove(name, cell);
        }
    }

    /** Takes a charge back; false if there is no such cell. */
    final boolean refund(K name, BoundPlan boundPlan, Grant receipt, long cost) {
        for (Cell cell = find(name, boundPlan); cell != null; cell = find(name, boundPlan)) {
            if (cell.refund(receipt, cost, time)) {
                return true;
            }
            retire(name, cell);
        }
        return false;
    }

    final void reset(K name, BoundPlan boundPlan) {
        Cell cell = find(name, boundPlan);
        while (cell != null) {
            boolean done = cell.reset(time);
            retire(name, cell);
            cell = done ? null : find(name, boundPlan);
        }
    }

    /** Visits the next cell of the walk and forgets it if its budget has been full for the given time. */
    final Step step(long idleMicros) {
        if (!walk.hasNext()) {
            Iterator<Map.Entry<K, Cell>> next = nextPart();
            walk = next == null ? Collections.emptyIterator() : next;
            return next == null ? Step.END : Step.NEXT_PART;
        }
        Map.Entry<K, Cell> entry = walk.next();
        if (!entry.getValue().forgetIfFull(time, idleMicros)) {
            return Step.KEPT;
        }
        retire(entry.getKey(), entry.getValue());
        return Step.FORGOTTEN;
    }
}
