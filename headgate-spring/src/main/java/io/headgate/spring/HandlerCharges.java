package io.headgate.spring;

import io.headgate.http.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Finds where to report what a WebFlux handler, and what it calls on the same thread, are charged to. The context of the request is out
 * of reach there, so the thread knows the report while it {@linkplain #reportTo works} on a request.
 *
 * <p>Where a thread does not know it and calls a handler with limits of its own, the charges stay with the thread, from which the
 * adapter takes them when the handler has returned.
 */
public final class HandlerCharges implements ChargeReport {

    private static final ThreadLocal<ChargeReport> CURRENT = new ThreadLocal<>();

    private Verdict verdict = Verdict.PASS;
    private @Nullable ChargeReport receiver;

    private HandlerCharges() {}

    /** The report of the request that the calling thread works on; the charges of the handler that it runs if that is unknown. */
    public static @Nullable ChargeReport current(boolean handler) {
        ChargeReport known = CURRENT.get();
        if (handler && (known == null || known instanceof HandlerCharges)) {
            known = new HandlerCharges();
            CURRENT.set(known);
        }
        return known;
    }

    /** Does work for a request on the calling thread: what is charged meanwhile goes to that report. */
    public static void reportTo(ChargeReport report, Runnable work) {
        ChargeReport before = CURRENT.get();
        CURRENT.set(report);
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
        ChargeReport report = CURRENT.get();
        return report == null || report instanceof HandlerCharges ? work : () -> reportTo(report, work);
    }

    /** Passes the charges of the handler that this thread has just called on, and those that are still to come. */
    public static void passOn(ChargeReport receiver) {
        if (CURRENT.get() instanceof HandlerCharges latest) {
            CURRENT.remove();
            latest.receive(receiver);
        }
    }

    private synchronized void receive(ChargeReport report) {
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
