package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.Judge;
import io.headgate.Plan;
import java.util.concurrent.ConcurrentHashMap;

/** The judges of the plans in use in one scope, at most {@link #MOST}. */
final class Judges {

    static final int MOST = 1024;

    private static final int MAX_RECENT = 8;

    private final Algorithms algorithms;
    private final ConcurrentHashMap<Plan, Judge> judges = new ConcurrentHashMap<>();

    /** The plans that were bound last, found by identity; {@link #judges} finds plans by equality. */
    private volatile Bound[] recent = {};

    private record Bound(Plan plan, Judge judge) {}

    Judges(Algorithms algorithms) {
        this.algorithms = algorithms;
    }

    @SuppressWarnings("ReferenceEquality") // intended: recent plans are found by identity
    Judge of(Plan plan) {
        for (Bound each : recent) {
            if (each.plan == plan) {
                return each.judge;
            }
        }
        return bind(plan);
    }

    private Judge bind(Plan plan) {
        if (judges.size() >= MOST) { // plans keep changing: the judges still in use are created again
            judges.clear();
            recent = new Bound[0];
        }
        Judge judge = judges.computeIfAbsent(plan, missing -> new Judge(missing, algorithms));
        Bound[] known = recent;
        Bound[] next = new Bound[Math.min(known.length + 1, MAX_RECENT)];
        next[0] = new Bound(plan, judge);
        System.arraycopy(known, 0, next, 1, next.length - 1);
        recent = next;
        return judge;
    }

    int size() {
        return judges.size();
    }
}
