package io.headgate.spring.method.expression;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.KotlinDetector;
import org.springframework.util.ClassUtils;

/**
 * The names of a method's arguments in expressions.
 *
 * @param places the index of the argument for each name: the method's own names, {@code p0} and so on, and the names in the methods
 *     that it overrides, since the annotation may be on one of those
 * @param written whether the method's own names are known
 */
record ParameterNames(Map<String, Integer> places, boolean written) {

    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    static ParameterNames of(Method method) {
        Map<String, Integer> places = new LinkedHashMap<>();
        @Nullable String @Nullable [] own = NAMES.getParameterNames(method);
        int count = parameterCount(method);
        for (int i = 0; i < count; i++) {
            String name = own == null ? null : own[i];
            places.put(name == null ? "a" + i : name, i);
        }
        for (int i = 0; i < count; i++) {
            places.putIfAbsent("p" + i, i);
        }
        for (Class<?> above : above(method.getDeclaringClass())) {
            for (Method other : above.getDeclaredMethods()) {
                if (overrides(method, other)) {
                    addNames(other, places);
                }
            }
        }
        return new ParameterNames(places, own != null);
    }

    private static Set<Class<?>> above(Class<?> type) {
        Set<Class<?>> above = new LinkedHashSet<>();
        for (Class<?> each = type.getSuperclass(); each != null && each != Object.class; each = each.getSuperclass()) {
            above.add(each);
        }
        above.addAll(ClassUtils.getAllInterfacesForClassAsSet(type));
        above.remove(type);
        return above;
    }

    /**
     * Whether the method probably overrides the other one, which is precise enough for names. Its parameter types may be narrower, since
     * those of the other method may be type variables.
     */
    private static boolean overrides(Method method, Method other) {
        if (other.isBridge()
                || !other.getName().equals(method.getName())
                || other.getParameterCount() != method.getParameterCount()) {
            return false;
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
            if (!other.getParameterTypes()[i].isAssignableFrom(method.getParameterTypes()[i])) {
                return false;
            }
        }
        return true;
    }

    private static void addNames(Method method, Map<String, Integer> places) {
        @Nullable String @Nullable [] names = NAMES.getParameterNames(method);
        for (int i = 0; names != null && i < parameterCount(method); i++) {
            if (names[i] != null) {
                places.putIfAbsent(names[i], i);
            }
        }
    }

    /** The number of arguments in the source: the continuation of a Kotlin function that suspends is none. */
    private static int parameterCount(Method method) {
        return method.getParameterCount() - (KotlinDetector.isSuspendingFunction(method) ? 1 : 0);
    }
}
