package io.headgate.memory;

import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The walk over all cells of a store that forgets those which nobody misses: a few cells for each key that is added, starting where
 * the last steps ended. Scopes in which no cell is left are dropped.
 *
 * <p>A key that is in use is usually full again when it is looked at, and would come back as a new key at once. So the walk spares
 * cells whose budget has been full for less than {@link #IDLE_MICROS}, unless room is short.
 */
final class Sweep {

    /** How long a budget must have been full, or a scope empty, before it is forgotten although there is room. */
    static final long IDLE_MICROS = 10_000_000;

    /** How many cells are visited when a key is added. */
    static final int FEW = 4;

    /** How many cells are visited at most to find one whose place a new key can take. */
    static final int MANY = 32;

    private final Collection<ScopeTable> tables;
    private final Consumer<ScopeTable> drop;
    private final ReentrantLock walking = new ReentrantLock();
    private Iterator<ScopeTable> walk = Collections.emptyIterator();
    private @Nullable ScopeTable current;

    Sweep(Collection<ScopeTable> tables, Consumer<ScopeTable> drop) {
        this.tables = tables;
        this.drop = drop;
    }

    void visitFew() {
        visit(FEW, IDLE_MICROS, FEW);
    }

    /** Tries to make room for one key. */
    void makeRoom() {
        visit(MANY, 0, 1);
    }

    /** Visits cells until enough are forgotten; does nothing while another thread is at it. */
    private void visit(int cells, long idleMicros, int enough) {
        if (!walking.tryLock()) {
            return;
        }
        try {
            int forgotten = 0;
            int visited = 0;
            for (int steps = 4 * cells; steps > 0 && visited < cells && forgotten < enough; steps--) {
                ScopeTable table = current();
                if (table == null) {
                    return;
                }
                switch (table.step(idleMicros)) {
                    case FORGOTTEN -> {
                        forgotten++;
                        visited++;
                    }
                    case KEPT -> visited++;
                    case END -> leave(table);
                    case NEXT_PART -> {}
                }
            }
        } finally {
            walking.unlock();
        }
    }

    private @Nullable ScopeTable current() {
        if (current == null) {
            walk = walk.hasNext() ? walk : tables.iterator();
            current = walk.hasNext() ? walk.next() : null;
        }
        return current;
    }

    private void leave(ScopeTable table) {
        if (table.closeIfUnused()) {
            drop.accept(table);
        }
        current = null;
    }
}
