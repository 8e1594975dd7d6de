package io.headgate.redis;

/** Runs something later. */
@FunctionalInterface
interface Timer {

    void after(long nanos, Runnable action);
}
