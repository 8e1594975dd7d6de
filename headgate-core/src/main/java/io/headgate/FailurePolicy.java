package io.headgate;

/** What happens to a request when the store cannot answer. */
public enum FailurePolicy {

    /** The request goes ahead, unlimited. */
    OPEN,

    /** The request does not go ahead: the decision is {@link Decision.Unavailable}. */
    CLOSED,

    /** The request is limited in this process until the store is back. The default. */
    LOCAL
}
