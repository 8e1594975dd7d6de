package io.headgate.http;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A view that reads another one. Subclasses add to it. */
public abstract class RequestViewDecorator implements RequestView {

    private final RequestView request;

    protected RequestViewDecorator(RequestView request) {
        this.request = Objects.requireNonNull(request, "request");
    }

    @Override
    public String method() {
        return request.method();
    }

    @Override
    public String path() {
        return request.path();
    }

    @Override
    public List<String> headers(String name) {
        return request.headers(name);
    }

    @Override
    public List<String> queryParameters(String name) {
        return request.queryParameters(name);
    }

    @Override
    public List<String> cookies(String name) {
        return request.cookies(name);
    }

    @Override
    public @Nullable String pathVariable(String name) {
        return request.pathVariable(name);
    }

    @Override
    public @Nullable String peerAddress() {
        return request.peerAddress();
    }

    @Override
    public @Nullable String principal() {
        return request.principal();
    }

    @Override
    public @Nullable String route() {
        return request.route();
    }

    @Override
    public @Nullable Object attribute(String name) {
        return request.attribute(name);
    }

    @Override
    public @Nullable Object nativeRequest() {
        return request.nativeRequest();
    }
}
