package io.headgate;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Daemon threads on which callers continue after a wait, one thread for each. The JDK's common pool can have a single thread, and
 * one caller that blocks it would hold up all others.
 */
final class WaitExecutor {

    static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "headgate-wait");
        thread.setDaemon(true);
        return thread;
    });

    private WaitExecutor() {}
}
