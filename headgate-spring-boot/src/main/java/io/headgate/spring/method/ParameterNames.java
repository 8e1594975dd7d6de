package io.headgate.spring.method;

import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.util.ClassUtils;

/**
 * What expressions may call the arguments of a method.
 *
 * @param places which argument each name stands for: as the method has them, as whatever it overrides has them, since an
 *     annotation may be written there, and {@code p0}
 * @param written whether the method's own names are known
 */
record ParameterNames(Map<String, Integer> places, boolean written) {

    private static final DefaultParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

    static ParameterNames of(Method method) {
        Map<String, Integer> places = new LinkedHashMap<>();
        @Nullable String @Nullable [] own = NAMES.getParameterNames(method);
        for (int i = 0; i < method.getParameterCount(); i++) {
            String name = own == null ? null : own[i];
            places.put(name == null ? "a" + i : name, i);
        }
        for (int i = 0; i < method.getParameterCount(); i++) {
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

    /** As far as names are concerned: the parameters of what is overridden may be those of a type variable. */
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
        for (int i = 0; names != null && i < names.length; i++) {
            if (names[i] != null) {
                places.putIfAbsent(names[i], i);
            }
        }
    }
}
