package io.headgate.spring.method;

import io.headgate.http.RequestView;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method call in the form of a request. The gate passes it to the resolvers of the method's limits, which read its arguments. */
final class InvocationView implements RequestView {

    private final Method called;
    private final @Nullable Object[] arguments;

    InvocationView(Method called, @Nullable Object[] arguments) {
        this.called = called;
        this.arguments = arguments;
    }

    Method called() {
        return called;
    }

    /** The arguments themselves, not a copy. */
    @Nullable
    Object[] arguments() {
        return arguments;
    }

    @Override
    public String method() {
        return "CALL";
    }

    @Override
    public String path() {
        return "/";
    }

    @Override
    public List<String> headers(String name) {
        return List.of();
    }

    @Override
    public @Nullable String peerAddress() {
        return null;
    }

    @Override
    public @Nullable String principal() {
        return null;
    }

    @Override
    public @Nullable String route() {
        return null;
    }
}
