package io.headgate.spring;

import io.headgate.http.Subject;
import java.lang.reflect.Method;

/** Resolves the subject of a {@link RateLimit} without a key, on a method that does not handle requests. */
@FunctionalInterface
public interface MethodKeyResolver {

    Subject resolve(Method method, Object[] arguments);
}
