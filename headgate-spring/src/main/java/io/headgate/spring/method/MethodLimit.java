package io.headgate.spring.method;

import io.headgate.http.BoundRule;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One valid {@link io.headgate.spring.RateLimit}.
 *
 * @param rule supplies the plan, bound to the key; {@code null} if the rule that the annotation names is off; called each time, since rules may change
 * @param key the expression for the subject; empty if there is none
 * @param readsRequest whether the request matters when the method is called
 * @param onRequest whether the limit is checked on the request, before the arguments are known
 * @param fallback the method to call when this limit denies a call
 */
record MethodLimit(
        Supplier<@Nullable BoundRule> rule,
        String key,
        boolean readsRequest,
        boolean onRequest,
        @Nullable Method fallback) {}
