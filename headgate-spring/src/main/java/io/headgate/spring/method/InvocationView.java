package io.headgate.spring.method;

import io.headgate.http.RequestView;
import java.lang.reflect.Method;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A method call in the form of the request that it handles, or of an empty one. The resolvers of the method's limits read its arguments. */
final class InvocationView implements RequestView {

    private final Method called;
    private final @Nullable Object[] arguments;
    private final @Nullable RequestView request;

    /** @param request the request that a handler is called for; {@code null} if there is none, or none is needed */
    InvocationView(Method called, @Nullable Object[] arguments, @Nullable RequestView request) {
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

    @Override
    public String method() {
        return request == null ? "CALL" : request.method();
    }

    @Override
    public String path() {
        return request == null ? "/" : request.path();
    }

    @Override
    public List<String> headers(String name) {
        return request == null ? List.of() : request.headers(name);
    }

    @Override
    public List<String> queryParameters(String name) {
        return request == null ? List.of() : request.queryParameters(name);
    }

    @Override
    public List<String> cookies(String name) {
        return request == null ? List.of() : request.cookies(name);
    }

    @Override
    public @Nullable String pathVariable(String name) {
        return request == null ? null : request.pathVariable(name);
    }

    @Override
    public @Nullable Object attribute(String name) {
        return request == null ? null : request.attribute(name);
    }

    @Override
    public @Nullable Object nativeRequest() {
        return request == null ? null : request.nativeRequest();
    }

    @Override
    public @Nullable String peerAddress() {
        return request == null ? null : request.peerAddress();
    }

    @Override
    public @Nullable String principal() {
        return request == null ? null : request.principal();
    }

    @Override
    public @Nullable String route() {
        return request == null ? null : request.route();
    }
}
