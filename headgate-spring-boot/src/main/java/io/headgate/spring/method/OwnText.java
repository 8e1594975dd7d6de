package io.headgate.spring.method;

import java.security.Principal;
import java.util.Arrays;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

/** The text of values that have one of their own: that of {@link Object} is another for each of them, and after each start. */
final class OwnText {

    private static final ClassValue<Boolean> OWN = new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
            try {
                return written(type).getMethod("toString").getDeclaringClass() != Object.class;
            } catch (NoSuchMethodException e) {
                throw new AssertionError(e); // every object has it
            }
        }
    };

    private OwnText() {}

    /** The class behind one that was made at run time and passes everything on. */
    private static Class<?> written(Class<?> type) {
        Class<?> user = ClassUtils.getUserClass(type);
        boolean made =
                user.getName().contains("$HibernateProxy$") || user.getName().contains("$ByteBuddy$");
        return made && user.getSuperclass() != null ? user.getSuperclass() : user;
    }

    /** A value without such a text, or with one inside. */
    static final class Missing extends IllegalStateException {

        private static final long serialVersionUID = 1L;

        Missing(Class<?> type) {
            super(type.getTypeName() + " has no toString of its own");
        }
    }

    /**
     * The text; of a principal its name, since the rest of what it says is about how it came to be one.
     *
     * @throws Missing if there is none
     */
    static String of(Object value) {
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

    /** @throws Missing if there is none */
    static void check(@Nullable Object value) {
        if (value == null) {
            return;
        }
        if (isMissing(value.getClass()) || value instanceof Principal) { // one among others does not go by its name
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

    @SuppressWarnings("ReferenceEquality") // a collection within itself has a text
    private static void checkAll(Collection<?> all, Object container) {
        for (Object each : all) {
            if (each != container) {
                check(each);
            }
        }
    }

    /** Arrays, too, but for those that are a value themselves. */
    static boolean isMissing(Class<?> type) {
        return !OWN.get(type);
    }
}
