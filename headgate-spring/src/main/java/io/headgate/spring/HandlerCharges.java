package io.headgate.spring;

import io.headgate.http.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Holds what a WebFlux handler, and what it calls on the same thread, were charged to. A handler is called where the context of its
 * request is out of reach. So the charges stay with the thread, from which the adapter takes them when the handler has returned.
 */
public final class HandlerCharges implements ChargeReport {

    private static final ThreadLocal<HandlerCharges> LATEST = new ThreadLocal<>();

    private Verdict verdict = Verdict.PASS;
    private @Nullable ChargeReport receiver;

    private HandlerCharges() {}

    /** The charges of the handler that the calling thread runs; a new one if its call begins. */
    public static @Nullable ChargeReport current(boolean handler) {
        if (handler) {
            LATEST.set(new HandlerCharges());
        }
        return LATEST.get();
    }

    /** Passes the charges of the handler that this thread has just called on, and those that are still to come. */
    public static void passOn(ChargeReport receiver) {
        HandlerCharges latest = LATEST.get();
        if (latest != null) {
            LATEST.remove();
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
