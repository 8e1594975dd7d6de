package io.headgate;

/** A store could not answer. The failure policy decides what happens to the request. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why a store could not answer. The set is small enough to count failures by reason. */
    public enum Reason {
        /** There is no connection to the store. */
        UNREACHABLE,
        /** The store did not answer in time. */
        TIMEOUT,
        /** The store rejected the credentials or the user lacks a permission. */
        UNAUTHORIZED,
        /** The store is reachable but cannot serve now: it is starting, busy, or without the part that has the key. */
        NOT_SERVING,
        /** The store does not accept writes. */
        READ_ONLY,
        /** The store has no memory left for the state. */
        FULL,
        /** The store does not accept the command: the script has an error, or the command does not exist. */
        SCRIPT,
        /** What the store keeps under the key is not a state that this version can read. */
        UNREADABLE,
        /** Other writers changed the state of the key first on every attempt. */
        CONTENTION,
        /** The store was not called: too many calls to it were in flight. */
        BULKHEAD,
        /** The store was not called: it had failed too often just before, and the circuit breaker is open. */
        BREAKER,
        OTHER
    }

    public StoreException(String message) {
        super(message);
        this.reason = Reason.OTHER;
    }

    public StoreException(String message, Throwable cause) {
        super(message, cause);
        this.reason = Reason.OTHER;
    }

    public StoreException(Reason reason, String message) {
        super(message);
        this.reason = reason;
    }

    public StoreException(Reason reason, String message, Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
