package io.headgate.benchmarks.served;

/** What no interceptor can do without: being there. */
final class IdleInterceptor implements Peer {}
