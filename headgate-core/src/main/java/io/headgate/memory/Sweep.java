package io.headgate.memory;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The walk over all cells of a store that forgets those which nobody misses: a few cells for each key that is added, starting where
 * the last steps ended. Scopes in which no cell is left are dropped.
 *
 * <p>A key that is in use is usually full again when it is looked at, and would come back as a new key at once. So the walk spares
 * cells whose budget has been full for less than {@link #IDLE_MICROS}, unless room is short.
 *
 * <p>Scopes take turns. Each is either waiting for its turn, or the current one, or closed; only the walk closes a scope. So the walk
 * meets every scope once per round and nothing else: a map of scopes would make it pass the places of all that were ever dropped.
 */
final class Sweep {

    /** How long a budget must have been full, or a scope empty, before it is forgotten although there is room. */
    static final long IDLE_MICROS = 10_000_000;

    /** How many cells are visited when a key is added. */
    static final int FEW = 4;

    /** How many cells are visited at most to find one whose place a new key can take. */
    static final int MANY = 32;

    private final Consumer<ScopeTable> drop;
    private final ConcurrentLinkedQueue<ScopeTable> waiting = new ConcurrentLinkedQueue<>();
    private final ReentrantLock walking = new ReentrantLock();
    private @Nullable ScopeTable current;

    /** @param drop removes a scope that the walk has closed */
    Sweep(Consumer<ScopeTable> drop) {
        this.drop = drop;
    }

    /** Adds a new scope to the walk. */
    void add(ScopeTable opened) {
        waiting.add(opened);
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
            current = waiting.poll();
        }
        return current;
    }

    private void leave(ScopeTable table) {
        if (table.closeIfUnused()) {
            drop.accept(table);
        } else {
            waiting.add(table);
        }
        current = null;
    }

    /** How many scopes one round of the walk meets. */
    int scopes() {
        walking.lock();
        try {
            return waiting.size() + (current == null ? 0 : 1);
        } finally {
            walking.unlock();
        }
    }
}
