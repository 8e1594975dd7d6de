package io.headgate.benchmarks.redis;

import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;

/**
 * Measures every peer in every situation on a Redis of its own, in turn and several times over, and prints the medians.
 *
 * <pre>{@code
 * java -cp headgate-benchmarks/target/benchmarks.jar io.headgate.benchmarks.redis.RedisComparison [rounds]
 * }</pre>
 */
public final class RedisComparison {

    private static final int ROUNDS = 3;
    private static final long WARM_UP_MILLIS = 1_500;
    private static final long MILLIS = 2_500;

    private RedisComparison() {}

    public static void main(String[] arguments) throws Exception {
        int rounds = arguments.length == 0 ? ROUNDS : Integer.parseInt(arguments[0]);
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.uri());
            try {
                Map<Situation, Map<Peer, List<Measured>>> runs = measure(server, client, rounds);
                System.out.println(new RedisReport(runs, Memory.perKey(server, client)));
            } finally {
                client.shutdown();
            }
        }
    }

    private static Map<Situation, Map<Peer, List<Measured>>> measure(RedisServer server, RedisClient client, int rounds)
            throws InterruptedException, ExecutionException {
        Map<Situation, Map<Peer, List<Measured>>> runs = new EnumMap<>(Situation.class);
        for (int round = 0; round < rounds; round++) {
            for (Situation situation : Situation.values()) {
                for (Peer peer : Peer.values()) {
                    if (peer.takesPartIn(situation)) {
                        Measured measured = measure(server, client, situation, peer);
                        runs.computeIfAbsent(situation, missing -> new EnumMap<>(Peer.class))
                                .computeIfAbsent(peer, missing -> new ArrayList<>())
                                .add(measured);
                        System.err.printf(
                                Locale.ROOT,
                                "%d/%d %s, %s: %.0f/s%n",
                                round + 1,
                                rounds,
                                situation.label,
                                peer,
                                measured.perSecond());
                    }
                }
            }
        }
        return runs;
    }

    private static Measured measure(RedisServer server, RedisClient client, Situation situation, Peer peer)
            throws InterruptedException, ExecutionException {
        server.command("FLUSHALL");
        try (Checker checker = peer.checker(client, server.uri(), situation.permits)) {
            situation.prepare(checker);
            return new Load(server, situation, checker).run(WARM_UP_MILLIS, MILLIS);
        }
    }
}
