package io.headgate;

/** What becomes of a request when the store cannot answer. */
public enum FailurePolicy {

    /** It goes ahead, unlimited. */
    OPEN,

    /** It is refused: {@link Decision.Unavailable}. */
    CLOSED,

    /** It is limited in process until the store is back. The default. */
    LOCAL
}
