package io.headgate.spring;

import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Finds the request of a WebFlux handler, and of what it calls on the same thread. The context of the request is out of reach there, so
 * the thread knows the request while it {@linkplain #runFor works} on it.
 *
 * <p>Where a thread does not know it and calls a handler with limits of its own, the charges stay with the thread, from which the
 * adapter takes them when the handler has returned.
 */
public final class HandlerCharges implements CurrentRequest {

    private static final ThreadLocal<CurrentRequest> CURRENT = new ThreadLocal<>();

    private Verdict verdict = Verdict.PASS;
    private @Nullable CurrentRequest receiver;

    private HandlerCharges() {}

    /** Unknown: the thread does not know whose handler it calls. */
    @Override
    public @Nullable RequestView view() {
        return null;
    }

    /** The request that the calling thread works on; if that is unknown, the charges of the handler that it calls. */
    public static @Nullable CurrentRequest find(boolean handler) {
        CurrentRequest known = CURRENT.get();
        if (handler && (known == null || known instanceof HandlerCharges)) {
            known = new HandlerCharges();
            CURRENT.set(known);
        }
        return known;
    }

    /** Does work for a request on the calling thread: what is charged meanwhile is reported there. */
    public static void runFor(CurrentRequest request, Runnable work) {
        CurrentRequest before = CURRENT.get();
        CURRENT.set(request);
        try {
            work.run();
        } finally {
            if (before == null) {
                CURRENT.remove();
            } else {
                CURRENT.set(before);
            }
        }
    }

    /** That work, for another thread to do for the request that the calling thread works on. */
    public static Runnable onAnotherThread(Runnable work) {
        CurrentRequest report = CURRENT.get();
        return report == null || report instanceof HandlerCharges ? work : () -> runFor(report, work);
    }

    /** Passes the charges of the handler that this thread has just called on, and those that are still to come. */
    public static void reportTo(CurrentRequest receiver) {
        if (CURRENT.get() instanceof HandlerCharges latest) {
            CURRENT.remove();
            latest.receive(receiver);
        }
    }

    private synchronized void receive(CurrentRequest report) {
        receiver = report;
        report.charged(verdict);
    }

    @Override
    public synchronized void charged(Verdict more) {
        if (receiver != null) {
            receiver.charged(more);
        } else {
            verdict = verdict.and(more);
        }
    }
}
