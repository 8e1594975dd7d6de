package io.headgate.demo;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.TimeSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A server with one endpoint that is limited by the client's address, {@code /api/public}, and one that is not,
 * {@code /api/status}. It listens on port 8083 unless told otherwise with {@code --port}.
 */
public final class Demo implements AutoCloseable {

    static final int DEFAULT_PORT = 8083;

    /** The exact log: never more than ten in any minute, however they are spread. */
    private static final Limit LIMIT = Limit.parse("10/min").using("sliding-window-log");

    static {
        // Else an answer on a kept connection waits for the client's delayed acknowledgement, 40 ms.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final RateLimiter limiter;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newFixedThreadPool(8);

    /** Starts to listen; port 0 takes any that is free. */
    Demo(int port, TimeSource time) throws IOException {
        limiter = Headgate.builder().timeSource(time).build().limiter("public", Plan.of(LIMIT));
        server = HttpServer.create(new InetSocketAddress(port), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    public static void main(String[] arguments) throws IOException {
        @SuppressWarnings("resource") // listens until the process ends
        Demo demo = new Demo(port(arguments), TimeSource.system());
        System.out.println("http://localhost:" + demo.port() + "/api/public grants " + LIMIT.text() + " per address");
    }

    static int port(String[] arguments) {
        if (arguments.length == 0) {
            return DEFAULT_PORT;
        }
        if (arguments.length != 2 || !arguments[0].equals("--port") || !arguments[1].matches("\\d{1,5}")) {
            throw new IllegalArgumentException("usage: --port <number>, not '" + String.join(" ", arguments)
                    + "'; without it, port " + DEFAULT_PORT);
        }
        return Integer.parseInt(arguments[1]);
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            switch (exchange.getRequestURI().getPath()) {
                case "/api/public" -> limited(exchange);
                case "/api/status" -> answer(exchange, 200, "{\"status\":\"up\"}");
                default -> answer(exchange, 404, "{\"error\":\"not_found\"}");
            }
        }
    }

    private void limited(HttpExchange exchange) throws IOException {
        String address = exchange.getRemoteAddress().getAddress().getHostAddress();
        Decision decision = limiter.tryAcquire(address);
        exchange.getResponseHeaders().set("X-RateLimit-Limit", String.valueOf(LIMIT.permits()));
        exchange.getResponseHeaders().set("X-RateLimit-Remaining", String.valueOf(decision.remaining()));
        if (decision instanceof Decision.Denied denied) {
            refuse(exchange, wholeSeconds(denied.retryAfterMicros()));
        } else {
            answer(exchange, 200, "{\"message\":\"hello " + address + "\"}");
        }
    }

    private static void refuse(HttpExchange exchange, long seconds) throws IOException {
        exchange.getResponseHeaders().set("Retry-After", String.valueOf(seconds));
        answer(
                exchange,
                429,
                "{\"error\":\"too_many_requests\",\"message\":\"More than " + LIMIT.text() + ". Try again in " + seconds
                        + " s.\",\"retryAfter\":" + seconds + "}");
    }

    /** Rounded up, so that waiting so long is enough, and never 0. */
    private static long wholeSeconds(long micros) {
        return Math.max(1, (micros + 999_999) / 1_000_000);
    }

    private static void answer(HttpExchange exchange, int status, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        boolean head = exchange.getRequestMethod().equals("HEAD");
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, head ? -1 : body.length);
        if (!head) {
            exchange.getResponseBody().write(body);
        }
    }
}
