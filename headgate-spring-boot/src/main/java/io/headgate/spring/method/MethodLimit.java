package io.headgate.spring.method;

import io.headgate.http.Checkpoint;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One {@link io.headgate.spring.RateLimit} that was understood.
 *
 * @param point where to check it, unless the rule it names is off; asked each time, since rules may change
 * @param key the expression that says who is limited; empty if there is none
 * @param onRequest whether it is checked on the request, before anybody knows the arguments
 * @param fallback what to call when it refuses
 */
record MethodLimit(
        Supplier<@Nullable Checkpoint> point,
        String key,
        boolean onRequest,
        @Nullable Method fallback) {}
