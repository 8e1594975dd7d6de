package io.headgate.spring.method;

import io.headgate.Plan;
import io.headgate.http.BoundRule;
import io.headgate.spring.RateLimit;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/** The owners of budgets, by name. Two methods may share a budget if both give it that name and the same limits. */
final class BudgetNames {

    /** The class for each simple name. */
    private final Map<String, Class<?>> owners = new ConcurrentHashMap<>();

    private final Map<String, Budget> budgets = new ConcurrentHashMap<>();

    private record Budget(AnnotatedMethod owner, Plan plan) {

        String place() {
            return ClassUtils.getUserClass(owner.type()).getName() + "#"
                    + owner.method().getName();
        }
    }

    /**
     * Registers the name of a budget.
     *
     * @param ofMethod the names that the method's other annotations have registered
     * @throws IllegalArgumentException if the name is registered already and must not be shared
     */
    void register(RateLimit annotation, @Nullable BoundRule rule, AnnotatedMethod place, Set<String> ofMethod) {
        if (rule == null || !annotation.rule().isEmpty()) {
            return;
        }
        Class<?> type = ClassUtils.getUserClass(place.type());
        if (annotation.name().isEmpty()) {
            rejectNamesake(type);
        }
        String name = rule.name();
        Plan plan = rule.plan();
        if (!ofMethod.add(name)) {
            throw new IllegalArgumentException("two annotations have the name '" + name
                    + "', so each call would be charged twice; give one of them another name");
        }
        Budget taken = budgets.putIfAbsent(name, new Budget(place, plan));
        if (taken != null && !taken.plan.equals(plan)) {
            throw new IllegalArgumentException("the name '" + name + "' identifies a budget of " + taken.plan
                    + " on " + taken.place() + ", but of " + plan
                    + " here; use the same limits in both places, or choose another name");
        }
        if (taken != null
                && annotation.name().isEmpty()
                && !taken.owner.method().equals(place.method())) {
            throw new IllegalArgumentException("its budget would be shared with that of "
                    + taken.owner.method().toGenericString() + ", since both have the name '" + name
                    + "'; give the annotation a name");
        }
    }

    /** Rejects a second class with the same simple name: the two would silently share their budgets. */
    private void rejectNamesake(Class<?> type) {
        Class<?> owner = owners.putIfAbsent(type.getSimpleName(), type);
        if (owner != null && owner != type) {
            throw new IllegalArgumentException("its budget would be shared with " + owner.getName()
                    + ", which has the same simple name; give the annotation a name");
        }
    }
}
