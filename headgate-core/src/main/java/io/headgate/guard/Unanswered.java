package io.headgate.guard;

import io.headgate.StoreException;

/** The guard's own reasons, which need no stack trace: where they arise is known, and in an outage there are many. */
final class Unanswered extends StoreException {

    private static final long serialVersionUID = 1L;

    Unanswered(Reason reason, String message) {
        super(reason, message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
