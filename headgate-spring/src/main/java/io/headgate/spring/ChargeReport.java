package io.headgate.spring;

import io.headgate.http.Verdict;
import org.jspecify.annotations.Nullable;

/** Reports in the headers of a response which limits the method calls made for its request were charged to. */
@FunctionalInterface
public interface ChargeReport {

    /** Its key in the Reactor context and among the attributes of a WebFlux request. */
    String KEY = ChargeReport.class.getName();

    /** Adds a verdict that allowed a call to the headers, unless they have been sent. */
    void charged(Verdict verdict);

    /** The report to use for a verdict that another thread will bring. Called by the thread that works on the request. */
    default ChargeReport later() {
        return this;
    }

    /** Finds the report of the request that the calling thread works on. */
    @FunctionalInterface
    interface Source {

        /**
         * The report; {@code null} if the thread works on no request.
         *
         * @param handler whether the call is that of a request handler
         */
        @Nullable
        ChargeReport current(boolean handler);
    }
}
