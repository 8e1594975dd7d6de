package io.headgate.spring.method;

import io.headgate.http.RequestView;
import io.headgate.http.RequestViewDecorator;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;

/** The call of a limited method, with the request that it is made for, if there is one. Keys and costs read its arguments. */
final class InvocationView extends RequestViewDecorator {

    private final Method called;
    private final @Nullable Object[] arguments;
    private final @Nullable RequestView request;

    /** @param request the request that a handler is called for; {@code null} if there is none, or none is needed */
    InvocationView(Method called, @Nullable Object[] arguments, @Nullable RequestView request) {
        super(request == null ? RequestView.none() : request);
        this.called = called;
        this.arguments = arguments;
        this.request = request;
    }

    InvocationView with(RequestView request) {
        return new InvocationView(called, arguments, request);
    }

    @Nullable
    RequestView request() {
        return request;
    }

    Method called() {
        return called;
    }

    /** The arguments themselves, not a copy. */
    @Nullable
    Object[] arguments() {
        return arguments;
    }
}
