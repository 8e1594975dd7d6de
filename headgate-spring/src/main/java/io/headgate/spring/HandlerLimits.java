package io.headgate.spring;

import io.headgate.http.BoundRule;
import java.util.List;

/** Finds the limits on request handlers that can be checked before the handler is called. */
@FunctionalInterface
public interface HandlerLimits {

    /** The limits of that handler; empty if it is not a method with a {@link RateLimit}. */
    List<BoundRule> of(Object handler);

    /** Whether that handler has any limits, including those that are checked only when it is called. */
    default boolean isLimited(Object handler) {
        return !of(handler).isEmpty();
    }

    /** Whether any limits are checked only when a method is called. */
    default boolean hasCallLimits() {
        return false;
    }

    /** Whether that handler has limits that are checked only when it is called. */
    default boolean hasCallLimits(Object handler) {
        return false;
    }

    /** Whether a thread that calls that handler blocks until its limits have been checked. */
    default boolean blocksThread(Object handler) {
        return false;
    }
}
