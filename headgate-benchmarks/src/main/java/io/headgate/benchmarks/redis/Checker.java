package io.headgate.benchmarks.redis;

/** A thread-safe limiter over Redis. */
interface Checker extends AutoCloseable {

    boolean check(String key);

    /** Creates the limiter of a key, if the library needs a separate call for this. */
    default void prepare(String key) {}

    @Override
    default void close() {}
}
