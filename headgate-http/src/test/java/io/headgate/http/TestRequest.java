package io.headgate.http;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request without a server. */
public final class TestRequest implements RequestView {

    private final String method;
    private final String path;
    private final Map<String, List<String>> headers = new HashMap<>();
    private @Nullable String peer = "192.0.2.1";
    private @Nullable String principal;
    private @Nullable String route;

    private TestRequest(String method, String path) {
        this.method = method;
        this.path = path;
    }

    public static TestRequest get(String path) {
        return new TestRequest("GET", path);
    }

    public static TestRequest of(String method, String path) {
        return new TestRequest(method, path);
    }

    public TestRequest from(@Nullable String peer) {
        this.peer = peer;
        return this;
    }

    public TestRequest header(String name, String value) {
        headers.computeIfAbsent(name.toLowerCase(Locale.ROOT), missing -> new ArrayList<>())
                .add(value);
        return this;
    }

    public TestRequest as(String principal) {
        this.principal = principal;
        return this;
    }

    public TestRequest on(String route) {
        this.route = route;
        return this;
    }

    @Override
    public String method() {
        return method;
    }

    @Override
    public String path() {
        return path;
    }

    @Override
    public List<String> headers(String name) {
        return headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of());
    }

    @Override
    public @Nullable String peerAddress() {
        return peer;
    }

    @Override
    public @Nullable String principal() {
        return principal;
    }

    @Override
    public @Nullable String route() {
        return route;
    }
}
