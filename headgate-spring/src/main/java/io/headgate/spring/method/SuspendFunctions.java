package io.headgate.spring.method;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.MethodParameter;
import org.springframework.util.ClassUtils;

/**
 * Methods as their source declares them. In the class file, a Kotlin function that suspends has one more parameter, its continuation,
 * which is none of its arguments, and returns {@link Object}. Needs no Kotlin.
 */
final class SuspendFunctions {

    /** Whether Spring's proxies turn the call of a function that suspends into a {@code Mono}, or into a {@code Flux} of its flow. */
    static final boolean ADAPTED =
            ClassUtils.isPresent("kotlinx.coroutines.reactor.MonoKt", SuspendFunctions.class.getClassLoader());

    private SuspendFunctions() {}

    static boolean is(Method method) {
        return KotlinDetector.isSuspendingFunction(method);
    }

    static Class<?>[] parameterTypes(Method method) {
        return Arrays.copyOf(method.getParameterTypes(), parameterCount(method));
    }

    static int parameterCount(Method method) {
        return is(method) ? method.getParameterCount() - 1 : method.getParameterCount();
    }

    static Class<?> returnType(Method method) {
        return is(method) ? new MethodParameter(method, -1).getParameterType() : method.getReturnType();
    }

    /** Those of a call: the same array, or a shorter copy if the method suspends. */
    static @Nullable Object[] arguments(Method method, @Nullable Object[] passed) {
        return is(method) ? Arrays.copyOf(passed, passed.length - 1) : passed;
    }
}
