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
 * Keeps the limits of one process on its heap.
 *
 * <p>At most {@code maxKeys} keys are held. A key is forgotten only when its budget is full again, so nobody can tell. When
 * every key that is held is still needed, new ones share a few overflow budgets until there is room: limited more strictly than
 * asked, never less, and {@link #overflowDecisions} counts it.
 */
public final class MemoryStore implements Store {

    /** How many keys are held unless told otherwise. */
    public static final int DEFAULT_MAX_KEYS = 1_000_000;

    private final Algorithms algorithms;
    private final TimeSource time;
    private final Room room;
    private final ConcurrentHashMap<String, Space> spaces = new ConcurrentHashMap<>();

    /** The first scope, found without the map: most processes have no other. */
    private volatile @Nullable Space first;

    public MemoryStore(Algorithms algorithms, TimeSource time, int maxKeys) {
        this.algorithms = algorithms;
        this.time = time;
        this.room = new Room(checkedMaxKeys(maxKeys), spaces.values());
    }

    /**
     * The number, if a store can hold so many keys at most.
     *
     * @throws IllegalArgumentException if it cannot
     */
    public static int checkedMaxKeys(int maxKeys) {
        if (maxKeys < 1) {
            throw new IllegalArgumentException("a store must hold at least 1 key, not " + maxKeys);
        }
        return maxKeys;
    }

    @Override
    public Decision apply(Key key, Plan plan, Operation operation) {
        return space(key.scope()).apply(key.subject(), plan, operation);
    }

    @SuppressWarnings("ReferenceEquality") // an equal scope will do as well, by way of the map
    private Space space(String scope) {
        Space known = first;
        if (known != null && known.scope == scope) {
            return known;
        }
        Space space = spaces.get(scope);
        return space != null ? space : open(scope);
    }

    private Space open(String scope) {
        Space space = spaces.computeIfAbsent(scope, missing -> new Space(missing, algorithms, time, room));
        if (first == null) {
            first = space;
        }
        return space;
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

    /** As {@link #keys}, but counted. */
    int cells() {
        return spaces.values().stream().mapToInt(Space::size).sum();
    }

    /** How many decisions were made on a shared overflow budget because there was no room for the key. */
    public long overflowDecisions() {
        return room.overflowDecisions();
    }
}
