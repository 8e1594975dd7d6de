package io.headgate.http;

/** Says how many permits a request takes; at least 1. Must not block. */
@FunctionalInterface
public interface CostResolver {

    long cost(RequestView request);
}
