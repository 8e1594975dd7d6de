package io.headgate.spring;

import io.headgate.http.RequestView;
import org.jspecify.annotations.Nullable;

/** Finds the request that a handler is called for. In WebFlux, one for each request is in the Reactor context. */
@FunctionalInterface
public interface CurrentRequest {

    /** Its key in the Reactor context, and the name of the attribute in which an exchange keeps its view. */
    String KEY = CurrentRequest.class.getName();

    /** The request; {@code null} if a handler is called outside of any. */
    @Nullable
    RequestView get();
}
