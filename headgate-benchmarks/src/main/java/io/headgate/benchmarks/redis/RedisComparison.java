package io.headgate.benchmarks.redis;

import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisClient;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;

/**
 * Measures every peer in every situation on one Redis and prints the medians. All peers are connected and warmed up. They take
 * turns of half a second, in forward and reverse order, because disturbances by other load last for seconds: so each peer runs
 * close in time to its plain script, and the two are compared turn by turn.
 *
 * <pre>{@code
 * java [-Dsituations=DISTINCT,HOT] [-Dpeers=TOKEN_BUCKET,PLAIN_TOKEN_BUCKET] \
 *     -cp headgate-benchmarks/target/benchmarks.jar io.headgate.benchmarks.redis.RedisComparison [turns]
 * }</pre>
 */
public final class RedisComparison {

    private static final int TURNS = 20;
    private static final long WARM_UP_MILLIS = 3_000;
    private static final long SETTLING_MILLIS = 100;
    private static final long MILLIS = 400;

    private final RedisServer server;
    private final RedisClient client;
    private final Set<String> wanted;

    private RedisComparison(RedisServer server, RedisClient client, Set<String> wanted) {
        this.server = server;
        this.client = client;
        this.wanted = wanted;
    }

    public static void main(String[] arguments) throws Exception {
        int turns = arguments.length == 0 ? TURNS : Integer.parseInt(arguments[0]);
        Set<String> situations = names("situations");
        try (RedisServer server = RedisServer.start()) {
            RedisClient client = RedisClient.create(server.uri());
            try {
                RedisComparison comparison = new RedisComparison(server, client, names("peers"));
                Map<Situation, Map<Peer, List<Measured>>> runs = new EnumMap<>(Situation.class);
                for (Situation situation : Situation.values()) {
                    if (isIn(situations, situation)) {
                        runs.put(situation, comparison.measure(situation, turns));
                    }
                }
                System.out.println(new RedisReport(runs, Memory.perKey(server, client)));
            } finally {
                client.shutdown();
            }
        }
    }

    private Map<Peer, List<Measured>> measure(Situation situation, int turns)
            throws InterruptedException, ExecutionException {
        server.command("FLUSHALL");
        List<Load> loads = new ArrayList<>();
        try {
            for (Peer peer : peers(situation)) {
                Load load = new Load(server, situation, peer, peer.checker(client, server.uri(), situation.permits));
                loads.add(load);
                situation.prepare(peer, load.checker);
                load.run(0, WARM_UP_MILLIS);
            }
            return measure(situation, loads, turns);
        } finally {
            loads.forEach(load -> load.checker.close());
        }
    }

    private static Map<Peer, List<Measured>> measure(Situation situation, List<Load> loads, int turns)
            throws InterruptedException, ExecutionException {
        Map<Peer, List<Measured>> measured = new EnumMap<>(Peer.class);
        List<Load> order = new ArrayList<>(loads);
        for (int turn = 1; turn <= turns; turn++) {
            for (Load load : order) {
                measured.computeIfAbsent(load.peer, missing -> new ArrayList<>())
                        .add(load.run(SETTLING_MILLIS, MILLIS));
            }
            System.err.printf(Locale.ROOT, "%s, %d/%d%n", situation.label, turn, turns);
            Collections.reverse(order);
        }
        return measured;
    }

    private List<Peer> peers(Situation situation) {
        return Stream.of(Peer.values())
                .filter(peer -> peer.takesPartIn(situation))
                .filter(peer -> peer == Peer.NOTHING || isIn(wanted, peer))
                .toList();
    }

    private static Set<String> names(String property) {
        return Set.of(System.getProperty(property, "").split(",", -1));
    }

    /** Whether the constant is named; without any names, every constant is. */
    private static boolean isIn(Set<String> names, Enum<?> one) {
        return names.contains("") || names.contains(one.name());
    }
}
