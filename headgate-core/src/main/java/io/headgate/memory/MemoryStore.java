package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the state of limits on the heap of this process.
 *
 * <p>At most {@code maxKeys} keys are held. A key is forgotten only when its budget is full again, which has no visible effect.
 * While every held key is still needed, new keys share a few overflow budgets until there is room: they are limited more strictly
 * than asked, never less, and {@link #overflowDecisions} counts these decisions.
 */
public final class MemoryStore implements Store {

    /** How many keys are held by default. */
    public static final int DEFAULT_MAX_KEYS = 1_000_000;

    private final Algorithms algorithms;
    private final TimeSource time;
    private final Room room;
    private final ConcurrentHashMap<String, Space> spaces = new ConcurrentHashMap<>();

    /** A scope that is found without the map: most processes have only one. */
    private volatile @Nullable Space first;

    public MemoryStore(Algorithms algorithms, TimeSource time, int maxKeys) {
        this.algorithms = algorithms;
        this.time = time;
        this.room = new Room(checkedMaxKeys(maxKeys), new Sweep(spaces.values(), this::drop));
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
    public Decision apply(Key key, Plan plan, Operation operation) {
        while (true) {
            Space space = space(key.scope());
            Decision decision = space.apply(key.subject(), plan, operation);
            if (decision != null) {
                return decision;
            }
            drop(space);
        }
    }

    @SuppressWarnings("ReferenceEquality") // an equal scope is found through the map
    private Space space(String scope) {
        Space known = first;
        if (known != null && known.scope == scope) {
            return known;
        }
        Space space = spaces.get(scope);
        if (space == null) {
            space = spaces.computeIfAbsent(scope, missing -> new Space(missing, algorithms, time, room));
        }
        if (known == null) {
            first = space;
        }
        return space;
    }

    /** Removes a scope that has been closed. */
    private void drop(Space closed) {
        spaces.remove(closed.scope, closed);
        if (first == closed) {
            first = null;
        }
    }

    @Override
    public boolean inProcess() {
        return true;
    }

    @Override
    public void check(Plan plan) {
        algorithms.check(plan);
    }

    /** How many keys are held now. */
    public int keys() {
        return room.taken();
    }

    /** As {@link #keys}, but counted in the spaces. */
    int cells() {
        return spaces.values().stream().mapToInt(space -> space.keys.size()).sum();
    }

    /** How many cells the tables are sized for. */
    int extent() {
        return spaces.values().stream().mapToInt(space -> space.keys.extent()).sum();
    }

    /** How many cells are shared by keys without room. */
    int overflowCells() {
        return spaces.values().stream().mapToInt(space -> space.overflow.size()).sum();
    }

    /** How many scopes are held. */
    int scopes() {
        return spaces.size();
    }

    /** How many decisions were made on a shared overflow budget because there was no room for the key. */
    public long overflowDecisions() {
        return room.overflowDecisions();
    }
}
