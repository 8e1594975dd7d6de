package io.headgate.spring.client;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** A server on loopback that answers as it is told, and counts. */
final class Served implements AutoCloseable {

    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(4);
    private final AtomicInteger requests = new AtomicInteger();
    private volatile int status = 200;
    private volatile Map<String, String> headers = Map.of();

    Served() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 100);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", exchange -> {
            try (exchange) {
                requests.incrementAndGet();
                headers.forEach(exchange.getResponseHeaders()::set);
                exchange.sendResponseHeaders(status, -1);
            }
        });
        server.start();
    }

    void answer(int status, Map<String, String> headers) {
        this.headers = headers;
        this.status = status;
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort() + "/";
    }

    int requests() {
        return requests.get();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
