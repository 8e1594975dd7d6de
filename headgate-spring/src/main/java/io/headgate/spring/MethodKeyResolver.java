package io.headgate.spring;

import io.headgate.http.Subject;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** Resolves the subject of a {@link RateLimit} without a key, on a method that does not handle requests. */
@FunctionalInterface
public interface MethodKeyResolver {

    /**
     * The subject of a call.
     *
     * @param arguments the arguments as the source has them: without the continuation of a Kotlin function that suspends
     */
    Subject resolve(Method method, @Nullable Object[] arguments);
}
