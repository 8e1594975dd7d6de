package io.headgate.http;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** {@link RequestView#none}. */
enum NoRequest implements RequestView {
    INSTANCE;

    @Override
    public String method() {
        return "";
    }

    @Override
    public String path() {
        return "";
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
