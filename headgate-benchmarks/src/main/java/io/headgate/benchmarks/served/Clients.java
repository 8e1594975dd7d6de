package io.headgate.benchmarks.served;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** Clients that each keep a connection and ask again as soon as they are answered. */
final class Clients {

    private static final int CONNECTIONS = 32;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final byte[] REQUEST =
            "GET /api/hello HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private Clients() {}

    /** How many requests a second are answered, each with the expected status. */
    static double perSecond(Served served, long millis) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(CONNECTIONS);
        try {
            long start = System.nanoTime();
            long end = start + TimeUnit.MILLISECONDS.toNanos(millis);
            Callable<Long> client = () -> ask(served, end);
            List<Future<Long>> counts = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                counts.add(threads.submit(client));
            }
            long answered = 0;
            for (Future<Long> count : counts) {
                answered += count.get();
            }
            return answered * 1e9 / (System.nanoTime() - start);
        } finally {
            threads.shutdownNow();
        }
    }

    /** One request, which a limit of 1 grants, and whose answer shows who is in front. */
    static void first(Served served) throws IOException {
        try (Socket socket = connect(served)) {
            socket.getOutputStream().write(REQUEST);
            Answer answer = new Answer(socket.getInputStream());
            answer.read();
            String header = served.front.header();
            String name = header == null ? "limit" : header;
            boolean told = answer.head().toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
            if (told == (header == null)) {
                throw new IOException(served.front.label + " answered " + answer.head());
            }
        }
    }

    private static Socket connect(Served served) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), served.port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }

    private static long ask(Served served, long end) throws IOException {
        try (Socket socket = connect(served)) {
            Answer answer = new Answer(socket.getInputStream());
            OutputStream out = socket.getOutputStream();
            long answered = 0;
            while (System.nanoTime() < end) {
                out.write(REQUEST);
                int status = answer.read();
                if (status != served.front.status()) {
                    throw new IOException(served.front.label + " answered " + status);
                }
                answered++;
            }
            return answered;
        }
    }
}
