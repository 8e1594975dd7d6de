package io.headgate.spring;

import io.headgate.http.Checkpoint;
import java.util.List;

/** The limits that handlers of requests carry themselves, where they can be checked before the handler is called. */
@FunctionalInterface
public interface HandlerLimits {

    /** The limits of that handler; none, if it is not a method with a {@link RateLimit}. */
    List<Checkpoint> of(Object handler);

    /** Whether that handler has limits, also such as are checked only when it is called. */
    default boolean limits(Object handler) {
        return !of(handler).isEmpty();
    }

    /** Whether a thread that calls that handler is held until its limits are known. */
    default boolean holdsThread(Object handler) {
        return false;
    }
}
