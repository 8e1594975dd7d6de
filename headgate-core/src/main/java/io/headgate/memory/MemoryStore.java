package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import io.headgate.engine.BoundPlan;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the state of limits on the heap of this process.
 *
 * <p>At most {@code maxKeys} keys are held. A key is forgotten only when its budget is full again, which has no visible effect.
 * While every held key is still needed, new keys share a few overflow budgets until there is room: they are limited more strictly
 * than asked, or, if their plans differ, at the pace of the plan that was used last. {@link #overflowDecisions} counts these decisions.
 */
public final class MemoryStore implements Store {

    /** How many keys are held by default. */
    public static final int DEFAULT_MAX_KEYS = 1_000_000;

    private final Algorithms algorithms;
    private final TimeSource time;
    private final Sweep sweep = new Sweep(this::drop);
    private final KeyCapacity capacity;
    private final ConcurrentHashMap<String, ScopeTable> tables = new ConcurrentHashMap<>();

    public MemoryStore(Algorithms algorithms, TimeSource time, int maxKeys) {
        this.algorithms = algorithms;
        this.time = time;
        this.capacity = new KeyCapacity(checkedMaxKeys(maxKeys), sweep);
    }

    /**
     * Returns the number if it is a valid maximum of keys.
     *
     * @throws IllegalArgumentException if it is not
     */
    public static int checkedMaxKeys(int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("a store must hold at least 1 key, not " + maxKeys);
        }
        return maxKeys;
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        return new MemoryLedger(scope, new BoundPlan(plan, algorithms));
    }

    /** A plan in a scope, with the table of that scope. */
    private final class MemoryLedger implements Ledger {

        private final String scope;
        private final BoundPlan boundPlan;

        /** The table of the scope when it was last used; {@code null} before that. Plain, since the fields of a table are final. */
        private @Nullable ScopeTable lastTable;

        MemoryLedger(String scope, BoundPlan boundPlan) {
            this.scope = scope;
            this.boundPlan = boundPlan;
        }

        @Override
        public Decision apply(String subject, Operation operation) {
            while (true) {
                ScopeTable table = lastTable;
                if (table == null) {
                    table = tables.computeIfAbsent(scope, MemoryStore.this::open);
                    lastTable = table;
                }
                Decision decision = table.apply(subject, boundPlan, operation);
                if (decision != null) {
                    return decision;
                }
                drop(table);
                lastTable = null;
            }
        }
    }

    private ScopeTable open(String scope) {
        ScopeTable table = new ScopeTable(scope, time, capacity);
        sweep.add(table);
        return table;
    }

    /** Removes a scope that has been closed. */
    private void drop(ScopeTable closed) {
        tables.remove(closed.scope, closed);
    }

    @Override
    public Algorithms algorithms() {
        return algorithms;
    }

    @Override
    public boolean inProcess() {
        return true;
    }

    /** How many keys are held now. */
    public int keys() {
        return capacity.taken();
    }

    /** As {@link #keys}, but counted in the tables. */
    int cells() {
        return tables.values().stream().mapToInt(table -> table.keys.size()).sum();
    }

    /** How many cells the tables are sized for. */
    int extent() {
        return tables.values().stream().mapToInt(table -> table.keys.extent()).sum();
    }

    /** How many cells are shared by keys without room. */
    int overflowCells() {
        return tables.values().stream().mapToInt(table -> table.overflow.size()).sum();
    }

    /** How many scopes are held. */
    int scopes() {
        return tables.size();
    }

    /** How many scopes one round of the sweep meets. */
    int sweptScopes() {
        return sweep.scopes();
    }

    /** How many decisions were made on a shared overflow budget because there was no room for the key. */
    public long overflowDecisions() {
        return capacity.overflowDecisions();
    }
}
