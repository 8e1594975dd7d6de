package io.headgate.http;

/** Says how many permits a request takes; at least 1. Must not block. */
@FunctionalInterface
public interface CostResolver {

    long cost(RequestView request);

    /** Whether it may ask requests for their users; where that takes time, it is not done in vain. */
    default boolean needsPrincipal() {
        return true;
    }
}
