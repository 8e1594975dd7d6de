package io.headgate.http.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;

/** A server on loopback that counts in a window which begins with its first request, as express-rate-limit does. */
final class LimitedServer implements AutoCloseable {

    /** How the server tells what remains. */
    enum Style {
        DRAFT_8,
        DRAFT_7,
        DRAFT_6,
        X,
        NOTHING
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(8);
    private final int limit;
    private final long windowNanos;
    private final Style style;
    private long beganNanos = System.nanoTime() - Long.MAX_VALUE / 2;
    private int count;
    private int allowed;
    private int denied;

    LimitedServer(int limit, long windowMillis, Style style) {
        this.limit = limit;
        this.windowNanos = windowMillis * 1_000_000;
        this.style = style;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 500);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    URI uri() {
        return URI.create("http://localhost:" + server.getAddress().getPort() + "/");
    }

    synchronized int allowed() {
        return allowed;
    }

    synchronized int denied() {
        return denied;
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            int status = count(exchange.getResponseHeaders()::set);
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private synchronized int count(BiConsumer<String, String> header) {
        long now = System.nanoTime();
        if (now - beganNanos >= windowNanos) {
            beganNanos = now;
            count = 0;
        }
        count++;
        long left = Math.max(0, limit - count);
        long seconds = Math.max(0, (beganNanos + windowNanos - now + 999_999_999) / 1_000_000_000);
        switch (style) {
            case DRAFT_8 -> {
                header.accept("RateLimit-Policy", "\"50-in-1s\"; q=" + limit + "; w=1; pk=:YTNj:");
                header.accept("RateLimit", "\"50-in-1s\"; r=" + left + "; t=" + seconds);
            }
            case DRAFT_7 -> {
                header.accept("RateLimit-Policy", limit + ";w=1");
                header.accept("RateLimit", "limit=" + limit + ", remaining=" + left + ", reset=" + seconds);
            }
            case DRAFT_6 -> {
                header.accept("RateLimit-Limit", String.valueOf(limit));
                header.accept("RateLimit-Remaining", String.valueOf(left));
                header.accept("RateLimit-Reset", String.valueOf(seconds));
            }
            case X -> {
                header.accept("X-RateLimit-Limit", String.valueOf(limit));
                header.accept("X-RateLimit-Remaining", String.valueOf(left));
                header.accept("X-RateLimit-Reset", String.valueOf(System.currentTimeMillis() / 1_000 + 1 + seconds));
            }
            case NOTHING -> {}
        }
        if (count <= limit) {
            allowed++;
            return 200;
        }
        denied++;
        header.accept("Retry-After", String.valueOf(seconds));
        return 429;
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
