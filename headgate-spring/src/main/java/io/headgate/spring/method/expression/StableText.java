package io.headgate.spring.method.expression;

import java.security.Principal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

/** The text of values whose class overrides {@code toString}: that of {@link Object} differs for each object and after each restart. */
public final class StableText {

    private static final ClassValue<Boolean> OWN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return written(type).getMethod("toString").getDeclaringClass() != Object.class;
            } catch (NoSuchMethodException e) {
                throw new AssertionError(e); // every class has toString
            }
        }
    };

    private StableText() {}

    /** The hand-written class behind a class that was generated at run time and delegates every call. */
    private static Class<?> written(Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type);
        boolean made =
                user.getName().contains("$HibernateProxy$") || user.getName().contains("$ByteBuddy$");
        return made && user.getSuperclass() != null ? user.getSuperclass() : user;
    }

    /** A value has no such text, or contains a value that has none. */
    public static final class Missing extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        Missing(Class<?> type) {
            super(type.getTypeName() + " has no toString that tells its values apart");
        }
    }

    /**
     * The text of a value; of a principal its name, since the rest of its text describes how it was authenticated.
     *
     * @throws Missing if the value has no text of its own
     */
    public static String of(Object value) {
        if (value instanceof Principal principal) {
            return String.valueOf(principal.getName());
        }
        if (value instanceof Object[] array) {
            check(Arrays.asList(array));
        } else if (!value.getClass().isArray()) {
            check(value);
        }
        return ObjectUtils.nullSafeToString(value);
    }

    /** @throws Missing if the value, or a value inside it, has no text of its own */
    static void check(@Nullable Object value) {
        if (value == null) {
            return;
        }
        if (isMissing(value.getClass()) || value instanceof Principal) { // within a container its text is not its name
            throw new Missing(value.getClass());
        }
        if (value instanceof Collection<?> collection) {
            checkAll(collection, value);
        } else if (value instanceof Map<?, ?> map) {
            checkAll(map.keySet(), value);
            checkAll(map.values(), value);
        } else if (value instanceof Optional<?> optional) {
            check(optional.orElse(null));
        }
    }

    @SuppressWarnings("ReferenceEquality") // a collection that contains itself has a text
    private static void checkAll(Collection<?> all, Object container) {
        for (Object each : all) {
            if (each != container) {
                check(each);
            }
        }
    }

    /** Whether values of the type have no text of their own. That includes arrays, although {@link #of} has a text for an array. */
    static boolean isMissing(Class<?> type) {
        return !OWN.get(type);
    }
}
