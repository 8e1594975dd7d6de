package io.headgate;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The limits that apply together to one subject, granted all or nothing.
 *
 * @param limits at least one, in the order in which they were written
 */
public record Plan(List<Limit> limits) {

    public Plan {
        limits = List.copyOf(limits);
        if (limits.isEmpty()) {
            throw new IllegalArgumentException("a plan needs at least one limit, such as 100/min");
        }
        Set<String> names = new HashSet<>();
        for (Limit limit : limits) {
            if (limit.name() != null && !names.add(limit.name())) {
                throw new IllegalArgumentException("two limits of one plan are called '" + limit.name() + "'");
            }
        }
        Set<String> ids = new HashSet<>();
        for (String id : ids(limits)) {
            if (!ids.add(id)) {
                throw new IllegalArgumentException(
                        "two limits of one plan go by '" + id + "'; give one of them another name");
            }
        }
    }

    public static Plan of(Limit... limits) {
        return new Plan(Arrays.asList(limits));
    }

    /** Parses a plan from limits in their {@linkplain Limit#parse text form}. */
    public static Plan parse(String... limits) {
        Objects.requireNonNull(limits, "limits");
        return new Plan(Stream.of(limits).map(Limit::parse).toList());
    }

    /**
     * The id of each limit, in order: its algorithm and its name, or its algorithm and its place among the unnamed limits of that
     * algorithm. A limit whose id was in an earlier plan continues the state that it had there.
     */
    public List<String> ids() {
        return ids(limits);
    }

    private static List<String> ids(List<Limit> limits) {
        Map<String, Integer> places = new HashMap<>();
        List<String> ids = new ArrayList<>(limits.size());
        for (Limit limit : limits) {
            ids.add(limit.algorithm() + ":"
                    + (limit.name() != null ? limit.name() : places.merge(limit.algorithm(), 1, Integer::sum) - 1));
        }
        return List.copyOf(ids);
    }

    @Override
    public String toString() {
        return limits.toString();
    }
}
