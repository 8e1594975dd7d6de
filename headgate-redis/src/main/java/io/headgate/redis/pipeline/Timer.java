package io.headgate.redis.pipeline;

/** Runs something later. */
@FunctionalInterface
public interface Timer {

    void after(long nanos, Runnable action);
}
