package io.headgate.spring.webflux;

import io.headgate.spring.HandlerCharges;
import org.springframework.core.task.AsyncTaskExecutor;

/** The threads on which Spring is told to call blocking handlers, which report their charges as on the thread of the request. */
public final class ReportedThreads implements AsyncTaskExecutor {

    private final AsyncTaskExecutor threads;

    public ReportedThreads(AsyncTaskExecutor threads) {
        this.threads = threads;
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(HandlerCharges.onAnotherThread(task));
    }
}
