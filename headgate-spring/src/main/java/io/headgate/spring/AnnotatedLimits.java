package io.headgate.spring;

import io.headgate.http.BoundRule;
import java.util.List;
import java.util.function.Consumer;

/** Lists every {@link RateLimit} of the application that is in force, for monitoring and administration. */
@FunctionalInterface
public interface AnnotatedLimits {

    List<Annotated> all();

    /** Registers a callback for every limit that is read from now on, such as that of a bean which is created later. */
    default void onNew(Consumer<BoundRule> read) {}

    /**
     * One annotation in force.
     *
     * @param method the limited method, such as {@code com.shop.OrderService#list}
     * @param handler whether the method handles requests
     * @param onRequest whether the limit is checked on the request, with the subject resolved as for a rule
     * @param key the expression that identifies the subject; empty if there is none
     * @param rule the limits and the budget; those of the rule if the annotation names one
     */
    record Annotated(String method, boolean handler, boolean onRequest, String key, BoundRule rule) {}
}
