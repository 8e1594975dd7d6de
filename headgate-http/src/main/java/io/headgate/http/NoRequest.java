package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Stands for the request where there is none: when somebody looks at the budget of a subject. */
enum NoRequest implements RequestView {
    INSTANCE;

    @Override
    public String method() {
        return "NONE";
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
