package io.headgate;

/** A store could not answer. What becomes of the request then is for the failure policy to say. */
public class StoreException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final Reason reason;

    /** Why a store could not answer: few enough to be counted by. */
    public enum Reason {
        /** There is no connection to it. */
        UNREACHABLE,
        /** It did not answer in time. */
        TIMEOUT,
        /** It does not know us or does not let us. */
        UNAUTHORIZED,
        /** It is there but cannot serve now: starting, busy, or without the part that has the key. */
        NOT_SERVING,
        /** It does not take writes. */
        READ_ONLY,
        /** It has no memory left for what it should keep. */
        FULL,
        /** It does not accept what it was asked to do: a script with an error, a command it does not have. */
        SCRIPT,
        /** What it keeps under the key is not a state that this version can read. */
        UNREADABLE,
        /** Others were faster, again and again. */
        CONTENTION,
        /** It was not asked: too many calls to it were under way. */
        BULKHEAD,
        /** It was not asked: it had failed too often just before. */
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
