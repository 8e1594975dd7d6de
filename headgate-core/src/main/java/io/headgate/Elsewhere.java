package io.headgate;

import java.util.concurrent.Executor;
import java.util.concurrent.Executors;

/**
 * Where callers go on when their wait is over: on a daemon thread of its own each. The JDK's common pool can have a single thread,
 * which one caller that blocks would keep from all others.
 */
final class Elsewhere {

    static final Executor THREADS = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "headgate-wait");
        thread.setDaemon(true);
        return thread;
    });

    private Elsewhere() {}
}
