package io.headgate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The algorithms that a store knows, by id. */
public final class Algorithms {

    // The ids of those that come with Headgate, as limits refer to them.
    public static final String TOKEN_BUCKET = "token-bucket";
    public static final String LEAKY_BUCKET = "leaky-bucket";
    public static final String FIXED_WINDOW = "fixed-window";
    public static final String SLIDING_WINDOW = "sliding-window";
    public static final String SLIDING_WINDOW_COUNTER = "sliding-window-counter";
    public static final String SLIDING_WINDOW_LOG = "sliding-window-log";

    private final Map<String, Algorithm<?>> byId;

    private Algorithms(Map<String, Algorithm<?>> byId) {
        this.byId = Map.copyOf(byId);
    }

    /** A set of algorithms. Of two with the same id the later one counts, so a custom algorithm can replace a built-in one. */
    public static Algorithms of(Collection<? extends Algorithm<?>> algorithms) {
        Map<String, Algorithm<?>> byId = new TreeMap<>();
        for (Algorithm<?> algorithm : algorithms) {
            byId.put(algorithm.id(), algorithm);
        }
        return new Algorithms(byId);
    }

    /** These algorithms and one more, which replaces one with the same id. */
    public Algorithms with(Algorithm<?> algorithm) {
        List<Algorithm<?>> all = new ArrayList<>(byId.values());
        all.add(algorithm);
        return of(all);
    }

    /** Whether limits that name its id get this very algorithm. */
    @SuppressWarnings("ReferenceEquality") // another instance may have other settings
    public boolean contains(Algorithm<?> algorithm) {
        return byId.get(algorithm.id()) == algorithm;
    }

    /**
     * The algorithm with the given id.
     *
     * @throws IllegalArgumentException listing the known ids and the closest one
     */
    public Algorithm<?> get(String id) {
        Algorithm<?> algorithm = byId.get(id);
        if (algorithm == null) {
            throw new IllegalArgumentException("no algorithm is called '" + id + "'; there are "
                    + new TreeMap<>(byId).keySet() + Spelling.hint(id, byId.keySet()));
        }
        return algorithm;
    }
}
