package io.headgate.spring.cloud.gateway;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The service behind a gateway: answers with its path, and counts. Under {@code /broken} it fails. */
final class Upstream implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final AtomicInteger hits = new AtomicInteger();

    Upstream() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(threads);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        hits.incrementAndGet();
        String path = exchange.getRequestURI().getPath();
        byte[] body = path.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(path.contains("/broken") ? 500 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    String uri() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** How many requests have arrived since the last call. */
    int hits() {
        return hits.getAndSet(0);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
