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
 * Clients that each keep a connection to both endpoints of a process and ask again as soon as they are answered: which of the two,
 * the clock says, and so they take turns without a pause in between. The first part of a turn does not count: some are still waiting
 * for the other endpoint then.
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
     * What counts of one turn.
     *
     * @param answers how many requests were sent that were answered with the expected status
     * @param nanos for how long they were sent
     * @param cpuNanos for how long the server was on a processor meanwhile
     */
    record Turn(boolean floor, long answers, long nanos, long cpuNanos) {}

    /** Whose turn it is: of four, the first and the last are the floor's, so that both come first equally often. */
    private static boolean isFloor(int turn) {
        return turn % 4 == 0 || turn % 4 == 3;
    }

    /** So many turns; while the first is on, connections are made. */
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

    /** One request, which a limit of 1 grants, and whose answer shows who is in front. */
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
