package io.headgate.spring.method;

import io.headgate.http.Checkpoint;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One {@link io.headgate.spring.RateLimit} that was understood.
 *
 * @param point where to check it; asked each time, since the rule it names may change
 * @param beforeArguments whether it can be checked on the request, before anybody knows the arguments
 * @param fallback what to call when it refuses
 */
record MethodLimit(
        Supplier<Checkpoint> point,
        boolean beforeArguments,
        @Nullable Method fallback) {}
