package io.headgate.spring;

import io.headgate.http.Checkpoint;
import java.util.List;

/** Every {@link RateLimit} of the application that is in force, for those who look after it. */
@FunctionalInterface
public interface AnnotatedLimits {

    List<Annotated> all();

    /**
     * One of them.
     *
     * @param method where it stands, such as {@code com.shop.OrderService#list}
     * @param handler whether the method handles requests
     * @param onRequest whether it is checked on the request, and who is limited is found as by a rule
     * @param key the expression that says who is limited; empty if there is none
     * @param point its limits and its budget, which are those of a rule if it names one
     */
    record Annotated(String method, boolean handler, boolean onRequest, String key, Checkpoint point) {}
}
