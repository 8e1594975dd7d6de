package io.headgate.redis.script;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The scripts: one for each set of algorithms, always the same to the byte. It is their files and what these need, one after the other. */
final class Scripts {

    /** The file of the algorithms that are computed here. */
    static final String CUSTOM = "custom";

    private final LuaAlgorithms algorithms;
    private final String time;
    private final Map<String, String> files = new ConcurrentHashMap<>();
    private final Map<Set<String>, Script> plans = new ConcurrentHashMap<>();

    Scripts() {
        this(LuaAlgorithms.BUILT_IN, file("time"));
    }

    /** @param time the lines that ask Redis for the time; tests set it instead */
    Scripts(LuaAlgorithms algorithms, String time) {
        this.algorithms = algorithms;
        this.time = time;
    }

    LuaAlgorithms algorithms() {
        return algorithms;
    }

    /** The script for plans of these algorithms: their ids, or {@link #CUSTOM}. */
    Script plan(Collection<String> ids) {
        return plans.computeIfAbsent(new TreeSet<>(ids), missing -> composed(new TreeSet<>(missing)));
    }

    /** The script that returns the states of the algorithms that are computed here. */
    Script states() {
        return new Script(time + "\n" + file("states"));
    }

    private Script composed(SortedSet<String> ids) {
        Set<String> all = new LinkedHashSet<>();
        all.add("algorithms");
        ids.forEach(id -> all.addAll(algorithms.needs(id)));
        all.addAll(ids);
        all.add("plan");
        return new Script(time + "\n"
                + all.stream()
                        .map(name -> files.computeIfAbsent(name, Scripts::file))
                        .collect(Collectors.joining("\n")));
    }

    static String file(String name) {
        try (InputStream in = Scripts.class.getResourceAsStream("/io/headgate/redis/" + name + ".lua")) {
            if (in == null) {
                throw new IllegalArgumentException("there is no " + name + ".lua");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
