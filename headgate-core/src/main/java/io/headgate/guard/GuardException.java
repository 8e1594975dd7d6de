package io.headgate.guard;

import io.headgate.StoreException;

/** A failure that the guard itself detects. It has no stack trace: its origin is known, and an outage creates many of them. */
final class GuardException extends StoreException {

    private static final long serialVersionUID = 1L;

    GuardException(Reason reason, String message) {
        super(reason, message);
    }

    @Override
    public synchronized Throwable fillInStackTrace() {
        return this;
    }
}
