package io.headgate.http;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * A listener that may be slow: it is called by a thread of its own, which reads from a bounded queue and ends when it is idle.
 * Events that arrive while the queue is full are dropped.
 */
final class QueuedListener implements DecisionListener {

    /** How many events may wait: some ten milliseconds of a very busy process, and about a megabyte. */
    static final int CAPACITY = 10_000;

    private static final long IDLE_SECONDS = 5;

    private final DecisionListener listener;
    private final Listeners listeners;
    private final ThreadPoolExecutor thread;

    QueuedListener(DecisionListener listener, Listeners listeners) {
        this.listener = listener;
        this.listeners = listeners;
        this.thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(CAPACITY),
                QueuedListener::daemon,
                (event, full) -> listeners.tooSlow(listener));
        thread.allowCoreThreadTimeOut(true);
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "headgate-listener");
        thread.setDaemon(true);
        return thread;
    }

    @Override
    public void decided(String rule, Decision decision, boolean enforced) {
        enqueue(() -> listener.decided(rule, decision, enforced));
    }

    @Override
    public void failed(String rule, FailurePolicy policy, Throwable cause) {
        enqueue(() -> listener.failed(rule, policy, cause));
    }

    private void enqueue(Runnable event) {
        try {
            thread.execute(() -> run(event));
        } catch (OutOfMemoryError e) {
            listeners.tooSlow(listener); // no thread could be created, which is no reason to fail a request
        }
    }

    private void run(Runnable event) {
        try {
            event.run();
        } catch (Throwable e) {
            listeners.threw(listener, e);
        }
    }

    @Override
    public String toString() {
        return listener.toString();
    }
}
