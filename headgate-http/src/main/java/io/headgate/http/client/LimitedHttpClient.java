package io.headgate.http.client;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.PushPromiseHandler;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/**
 * An {@link HttpClient} that sends no more than limits allow. {@code send} waits on the calling thread, {@code sendAsync} on none. What
 * is not sent fails with an {@link OutgoingLimitException}. Close the client that this one was given, not this one. Opening a web socket
 * is not limited.
 */
public final class LimitedHttpClient extends HttpClient {

    private final HttpClient client;
    private final OutgoingLimits limits;

    public LimitedHttpClient(HttpClient client, OutgoingLimits limits) {
        this.client = client;
        this.limits = limits;
    }

    @Override
    public <T> HttpResponse<T> send(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        String host = OutgoingLimits.host(request.uri());
        OutgoingLimiter limiter = limits.limiter(host);
        if (limiter == null) {
            return client.send(request, handler);
        }
        OutgoingPermit permit = limiter.acquire(host);
        try {
            return client.send(request, learning(handler, permit));
        } finally {
            permit.failed(); // unless there was an answer
        }
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, BodyHandler<T> handler) {
        return sendAsync(request, handler, learning -> client.sendAsync(request, learning));
    }

    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request, BodyHandler<T> handler, @Nullable PushPromiseHandler<T> pushes) {
        return sendAsync(request, handler, learning -> client.sendAsync(request, learning, pushes));
    }

    private <T> CompletableFuture<HttpResponse<T>> sendAsync(
            HttpRequest request,
            BodyHandler<T> handler,
            Function<BodyHandler<T>, CompletableFuture<HttpResponse<T>>> send) {
        String host = OutgoingLimits.host(request.uri());
        OutgoingLimiter limiter = limits.limiter(host);
        if (limiter == null) {
            return send.apply(handler);
        }
        CompletableFuture<HttpResponse<T>> result = new CompletableFuture<>();
        CompletableFuture<OutgoingPermit> waiting = limiter.acquireAsync(host);
        result.whenComplete((response, failure) -> waiting.cancel(true));
        waiting.whenComplete((permit, failure) -> {
            if (permit == null) {
                result.completeExceptionally(failure);
            } else if (result.isDone()) {
                permit.giveBack();
            } else {
                send(() -> send.apply(learning(handler, permit)), permit, result);
            }
        });
        return result;
    }

    private static <T> void send(
            Supplier<CompletableFuture<HttpResponse<T>>> send,
            OutgoingPermit permit,
            CompletableFuture<HttpResponse<T>> result) {
        CompletableFuture<HttpResponse<T>> sent;
        try {
            sent = send.get();
        } catch (RuntimeException e) { // such as a request that cannot be sent
            permit.giveBack();
            result.completeExceptionally(e);
            return;
        }
        result.whenComplete((response, failure) -> sent.cancel(true));
        sent.whenComplete((response, failure) -> {
            if (response == null) {
                permit.failed();
                result.completeExceptionally(failure);
            } else {
                result.complete(response);
            }
        });
    }

    /** Takes note of an answer before its body: that may be long in coming, or break off. */
    private static <T> BodyHandler<T> learning(BodyHandler<T> handler, OutgoingPermit permit) {
        return answer -> {
            permit.answered(answer.statusCode(), name -> {
                List<String> values = answer.headers().allValues(name);
                return values.isEmpty() ? null : values.size() == 1 ? values.get(0) : String.join(", ", values);
            });
            return handler.apply(answer);
        };
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }

    @Override
    public Optional<CookieHandler> cookieHandler() {
        return client.cookieHandler();
    }

    @Override
    public Optional<Duration> connectTimeout() {
        return client.connectTimeout();
    }

    @Override
    public Redirect followRedirects() {
        return client.followRedirects();
    }

    @Override
    public Optional<ProxySelector> proxy() {
        return client.proxy();
    }

    @Override
    public SSLContext sslContext() {
        return client.sslContext();
    }

    @Override
    public SSLParameters sslParameters() {
        return client.sslParameters();
    }

    @Override
    public Optional<Authenticator> authenticator() {
        return client.authenticator();
    }

    @Override
    public Version version() {
        return client.version();
    }

    @Override
    public Optional<Executor> executor() {
        return client.executor();
    }
}
