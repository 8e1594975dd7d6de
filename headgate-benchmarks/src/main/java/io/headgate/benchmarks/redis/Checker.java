package io.headgate.benchmarks.redis;

/** A way to ask Redis whether a key may go ahead, from many threads at once. */
interface Checker extends AutoCloseable {

    boolean check(String key);

    /** Makes a key known, where that takes a call of its own. */
    default void prepare(String key) {}

    @Override
    default void close() {}
}
