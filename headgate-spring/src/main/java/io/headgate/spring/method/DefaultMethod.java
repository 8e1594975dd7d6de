package io.headgate.spring.method;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Calls default methods of interfaces on a proxy, bypassing its advices. The interface need not be public. */
final class DefaultMethod {

    private DefaultMethod() {}

    /** @throws IllegalArgumentException if the method cannot be called from here */
    static void check(Method method) {
        try {
            handle(method);
        } catch (IllegalAccessException e) {
            throw new IllegalArgumentException(method + " cannot be called: " + e.getMessage(), e);
        }
    }

    static @Nullable Object call(Object proxy, Method method, @Nullable Object[] arguments) throws Throwable {
        return handle(method).bindTo(proxy).invokeWithArguments(arguments);
    }

    /** The same for a function that suspends, whose last argument is the continuation of its caller. */
    static Object suspending(Object proxy, Method method, @Nullable Object[] arguments) {
        int last = arguments.length - 1;
        return CoroutineCalls.mono(Objects.requireNonNull(arguments[last]), continuation -> {
            @Nullable Object[] own = arguments.clone();
            own[last] = continuation;
            return call(proxy, method, own);
        });
    }

    private static MethodHandle handle(Method method) throws IllegalAccessException {
        Class<?> owner = method.getDeclaringClass();
        return MethodHandles.privateLookupIn(owner, MethodHandles.lookup()).unreflectSpecial(method, owner);
    }
}
