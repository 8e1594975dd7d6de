package io.headgate.http;

/** Determines how many permits a request takes; at least 1. Must not block. */
@FunctionalInterface
public interface CostResolver {

    long cost(RequestView request);

    /** Whether it may call {@link RequestView#principal}. If not, adapters skip the lookup of the principal where it is expensive. */
    default boolean needsPrincipal() {
        return true;
    }
}
