package io.headgate.redis.script;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Headgate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The algorithms that have a Lua file: it has the id of the algorithm as its name. All others are computed here. */
final class LuaAlgorithms {

    /** The algorithms that Headgate comes with, each with the files that its own file needs before it. */
    static final LuaAlgorithms BUILT_IN = new LuaAlgorithms(Map.of())
            .with(builtIn(Algorithms.TOKEN_BUCKET), "wide", "bucket")
            .with(builtIn(Algorithms.LEAKY_BUCKET), "wide", "bucket")
            .with(builtIn(Algorithms.FIXED_WINDOW))
            .with(builtIn(Algorithms.SLIDING_WINDOW_LOG))
            .with(builtIn(Algorithms.SLIDING_WINDOW_COUNTER), "wide")
            .with(builtIn(Algorithms.SLIDING_WINDOW));

    private final Map<String, Entry> entries;

    /**
     * An algorithm.
     *
     * @param type its class: another algorithm of the same id does not have the file
     */
    private record Entry(Class<?> type, List<String> needs) {}

    private LuaAlgorithms(Map<String, Entry> entries) {
        this.entries = Map.copyOf(entries);
    }

    private static Algorithm<?> builtIn(String id) {
        return Headgate.algorithms().get(id);
    }

    /** These and one more. */
    LuaAlgorithms with(Algorithm<?> algorithm, String... needs) {
        Map<String, Entry> all = new HashMap<>(entries);
        all.put(algorithm.id(), new Entry(algorithm.getClass(), List.of(needs)));
        return new LuaAlgorithms(all);
    }

    boolean has(Algorithm<?> algorithm) {
        Entry entry = entries.get(algorithm.id());
        return entry != null && entry.type == algorithm.getClass();
    }

    /** The files that the file of that name needs before it. */
    List<String> needs(String file) {
        Entry entry = entries.get(file);
        return entry == null ? List.of() : entry.needs;
    }
}
