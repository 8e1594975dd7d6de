package io.headgate.benchmarks.served;

/** An interceptor that does nothing: the minimum cost of any interceptor. */
final class IdleInterceptor implements Peer {}
