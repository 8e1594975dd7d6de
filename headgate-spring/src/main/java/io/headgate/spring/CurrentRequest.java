package io.headgate.spring;

import io.headgate.http.RequestView;
import io.headgate.http.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * The request that a limited method is called for: what the limits of the call may read, and the response whose headers report what the
 * call is charged to.
 */
public interface CurrentRequest {

    /** Its key in the Reactor context and among the attributes of a WebFlux request. */
    String KEY = CurrentRequest.class.getName();

    /** The request; {@code null} if it is not known here. */
    @Nullable
    RequestView view();

    /** Adds a verdict that allowed a call to the headers, unless they have been sent. */
    void charged(Verdict verdict);

    /** The same request, for a verdict that another thread will bring. Called by the thread that works on the request. */
    default CurrentRequest later() {
        return this;
    }

    /** Finds the request that the calling thread works on. */
    @FunctionalInterface
    interface Source {

        /** Finds nothing. */
        Source NONE = handler -> null;

        /**
         * The request; {@code null} if the thread works on none.
         *
         * @param handler whether a request handler is being called
         */
        @Nullable
        CurrentRequest find(boolean handler);

        /** Whether every thread that calls a handler can {@linkplain CurrentRequest#view read} the request. */
        default boolean readsRequests() {
            return false;
        }
    }
}
