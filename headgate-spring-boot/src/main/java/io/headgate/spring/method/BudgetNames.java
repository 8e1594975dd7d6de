package io.headgate.spring.method;

import io.headgate.Plan;
import io.headgate.http.Checkpoint;
import io.headgate.spring.RateLimit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** Who has which budget by its name. Two places may share one, if they say so and mean the same. */
final class BudgetNames {

    /** The class that a simple name stands for. */
    private final Map<String, Class<?>> owners = new ConcurrentHashMap<>();

    private final Map<String, Budget> budgets = new ConcurrentHashMap<>();

    private record Budget(Declared owner, Plan plan) {

        String place() {
            return ClassUtils.getUserClass(owner.type()).getName() + "#"
                    + owner.method().getName();
        }
    }

    /**
     * Takes the name of a budget.
     *
     * @param beside the names that the method's other annotations have taken
     * @throws IllegalArgumentException if it must not be shared
     */
    void take(RateLimit annotation, @Nullable Checkpoint point, Declared place, Set<String> beside) {
        if (point == null || !annotation.rule().isEmpty()) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(place.type());
        if (annotation.name().isEmpty()) {
            refuseNamesake(type);
        }
        String name = point.rule().name();
        Plan plan = point.limiter().plan();
        if (!beside.add(name)) {
            throw new IllegalArgumentException("two annotations have the name '" + name
                    + "', so that each call would be charged twice; choose another");
        }
        Budget taken = budgets.putIfAbsent(name, new Budget(place, plan));
        if (taken != null && !taken.plan.equals(plan)) {
            throw new IllegalArgumentException("the name '" + name + "' is a budget of " + taken.plan + " on "
                    + taken.place() + ", and of " + plan + " here; say the same, or choose another name");
        }
        if (taken != null
                && annotation.name().isEmpty()
                && !taken.owner.method().equals(place.method())) {
            throw new IllegalArgumentException("its budget would be shared with that of "
                    + taken.owner.method().toGenericString() + ", which is called '" + name
                    + "', too; give the annotation a name");
        }
    }

    /** Two classes of one name would share their budgets, and nobody would be told. */
    private void refuseNamesake(Class<?> type) {
        Class<?> owner = owners.putIfAbsent(type.getSimpleName(), type);
        if (owner != null && owner != type) {
            throw new IllegalArgumentException("its budget would be shared with " + owner.getName()
                    + ", which has the same simple name; give the annotation a name");
        }
    }
}
