package io.headgate.benchmarks.served;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Clients that each keep a connection to both endpoints of a process and send a request as soon as the last one is answered. The
 * clock determines the endpoint, so the endpoints take turns without a pause. The first part of a turn does not count, because some
 * clients are then still waiting for the other endpoint.
 */
final class Clients {

    private static final int CLIENTS = 32;
    private static final long SETTLING_NANOS = 10_000_000;
    private static final int PATIENCE_MILLIS = 10_000;
    private static final byte[] REQUEST =
            "GET /api/hello HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private final Served process;
    private final int turns;
    private final long nanosPerTurn;
    private final long start = System.nanoTime();

    private Clients(Served process, int turns, long millisPerTurn) {
        this.process = process;
        this.turns = turns;
        this.nanosPerTurn = TimeUnit.MILLISECONDS.toNanos(millisPerTurn);
    }

    /**
     * The part of one turn that counts.
     *
     * @param answers the number of requests that were sent and answered with the expected status
     * @param nanos the time during which they were sent
     * @param cpuNanos the processor time of the server in that time
     */
    record Turn(boolean floor, long answers, long nanos, long cpuNanos) {}

    /** Whether a turn is the floor's: the first and the last of every four are, so that both endpoints come first equally often. */
    private static boolean isFloor(int turn) {
        return turn % 4 == 0 || turn % 4 == 3;
    }

    /** Runs the turns and returns their results. The connections are opened during the first turn. */
    static List<Turn> turns(Served process, int turns, long millisPerTurn)
            throws InterruptedException, ExecutionException {
        return new Clients(process, turns, millisPerTurn).turns();
    }

    private List<Turn> turns() throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<long[]>> counts = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                counts.add(threads.submit(this::askInTurns));
            }
            long[] cpu = new long[turns];
            for (int turn = 0; turn < turns; turn++) {
                long settled = cpuNanosAt(turn * nanosPerTurn + SETTLING_NANOS);
                cpu[turn] = cpuNanosAt((turn + 1) * nanosPerTurn) - settled;
            }
            long[] answers = new long[turns];
            for (Future<long[]> count : counts) {
                long[] some = count.get();
                Arrays.setAll(answers, turn -> answers[turn] + some[turn]);
            }
            List<Turn> seen = new ArrayList<>();
            for (int turn = 0; turn < turns; turn++) {
                seen.add(new Turn(isFloor(turn), answers[turn], nanosPerTurn - SETTLING_NANOS, cpu[turn]));
            }
            return seen;
        } finally {
            threads.shutdownNow();
        }
    }

    private long cpuNanosAt(long nanos) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(start + nanos - System.nanoTime());
        return process.cpuNanos();
    }

    private long[] askInTurns() throws IOException {
        long[] answered = new long[turns];
        try (Socket floor = connect(process.floor);
                Socket other = connect(process.other)) {
            Answer ofFloor = new Answer(floor.getInputStream());
            Answer ofOther = new Answer(other.getInputStream());
            while (true) {
                long now = System.nanoTime() - start;
                int turn = (int) (now / nanosPerTurn);
                if (turn >= turns) {
                    return answered;
                }
                if (isFloor(turn)) {
                    ask(floor, ofFloor, process.floor.front());
                } else {
                    ask(other, ofOther, process.other.front());
                }
                if (now % nanosPerTurn >= SETTLING_NANOS) {
                    answered[turn]++;
                }
            }
        }
    }

    private static void ask(Socket socket, Answer answer, Front front) throws IOException {
        socket.getOutputStream().write(REQUEST);
        int status = answer.read();
        if (status != front.status()) {
            throw new IOException(front.label + " answered " + status);
        }
    }

    /** Sends one request, which even a limit of 1 allows, and checks by its response that the expected front is in force. */
    static void first(Served.Endpoint endpoint) throws IOException {
        try (Socket socket = connect(endpoint)) {
            socket.getOutputStream().write(REQUEST);
            Answer answer = new Answer(socket.getInputStream());
            answer.read();
            String header = endpoint.front().header();
            String name = header == null ? "limit" : header;
            boolean told = answer.head().toLowerCase(Locale.ROOT).contains(name.toLowerCase(Locale.ROOT));
            if (told == (header == null)) {
                throw new IOException(endpoint.front().label + " answered " + answer.head());
            }
        }
    }

    private static Socket connect(Served.Endpoint endpoint) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(PATIENCE_MILLIS);
        return socket;
    }
}
