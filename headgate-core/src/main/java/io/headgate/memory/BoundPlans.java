package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.BoundPlan;
import io.headgate.Plan;
import java.util.concurrent.ConcurrentHashMap;

/** The bound plans in use in one scope, at most {@link #MOST}. */
final class BoundPlans {

    static final int MOST = 1024;

    private static final int MAX_RECENT = 8;

    private final Algorithms algorithms;
    private final ConcurrentHashMap<Plan, BoundPlan> boundPlans = new ConcurrentHashMap<>();

    /** The plans that were bound last, found by identity; {@link #boundPlans} finds plans by equality. */
    private volatile Bound[] recent = {};

    private record Bound(Plan plan, BoundPlan boundPlan) {}

    BoundPlans(Algorithms algorithms) {
        this.algorithms = algorithms;
    }

    @SuppressWarnings("ReferenceEquality") // intended: recent plans are found by identity
    BoundPlan of(Plan plan) {
        for (Bound each : recent) {
            if (each.plan == plan) {
                return each.boundPlan;
            }
        }
        return bind(plan);
    }

    private BoundPlan bind(Plan plan) {
        if (boundPlans.size() >= MOST) { // plans keep changing: the boundPlans still in use are created again
            boundPlans.clear();
            recent = new Bound[0];
        }
        BoundPlan boundPlan = boundPlans.computeIfAbsent(plan, missing -> new BoundPlan(missing, algorithms));
        Bound[] known = recent;
        Bound[] next = new Bound[Math.min(known.length + 1, MAX_RECENT)];
        next[0] = new Bound(plan, boundPlan);
        System.arraycopy(known, 0, next, 1, next.length - 1);
        recent = next;
        return boundPlan;
    }

    int size() {
        return boundPlans.size();
    }
}
