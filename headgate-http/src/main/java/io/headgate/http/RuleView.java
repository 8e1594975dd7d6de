package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A request as the resolvers of a rule see it: the variables of the rule's patterns are there before a handler is found. */
record RuleView(RequestView request, PathVariables variables) implements RequestView {

    @Override
    public @Nullable String pathVariable(String name) {
        String ofHandler = request.pathVariable(name);
        return ofHandler != null ? ofHandler : variables.value(request.path(), name);
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
