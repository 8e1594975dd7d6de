package io.headgate.spring.webflux;

import io.headgate.spring.RateLimitExceededException;
import java.lang.reflect.Method;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;

/** Refusals that an application answers itself, in an {@code @ExceptionHandler} for them and not for exceptions in general. */
final class OwnRefusals {

    private OwnRefusals() {}

    /** Whether that controller or advice has such a handler. */
    static boolean in(Class<?> type) {
        ExceptionHandlerMethodResolver handlers = new ExceptionHandlerMethodResolver(type);
        Method refusals = handlers.resolveMethodByExceptionType(RateLimitExceededException.class);
        return refusals != null && !refusals.equals(handlers.resolveMethodByExceptionType(RuntimeException.class));
    }
}
