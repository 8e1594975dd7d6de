package io.headgate.spring;

import io.headgate.http.Subject;
import java.lang.reflect.Method;

/** Says who is limited by a {@link RateLimit} without a key on a method that handles no requests. */
@FunctionalInterface
public interface MethodKeyResolver {

    Subject resolve(Method method, Object[] arguments);
}
