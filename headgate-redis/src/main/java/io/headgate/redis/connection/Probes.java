package io.headgate.redis.connection;

import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Asks Redis, or a node of a cluster, whether it does what requests need: a permit of a key that it holds is taken, since a Redis that
 * answers may still not accept writes.
 */
public final class Probes {

    public static final String SCOPE = "headgate";
    public static final String NOBODY = "nobody";

    /** So generous that it never denies, and so short that its keys are soon gone. */
    public static final Plan PLAN = Plan.parse("1000000 per 100ms");

    private static final int MOST_SUBJECTS = 10_000;

    private final RedisConnection connection;
    private final Function<Key, byte[]> names;
    private final Ledger ledger;

    /** A subject on each node of the cluster, since finding one takes many attempts. */
    private final Map<Object, String> subjects = new ConcurrentHashMap<>();

    /**
     * Probes over this connection.
     *
     * @param names how a subject is named in Redis
     * @param ledger binds {@link #PLAN} in {@link #SCOPE}, and always asks Redis
     */
    public Probes(RedisConnection connection, Function<Key, byte[]> names, Ledger ledger) {
        this.connection = connection;
        this.names = names;
        this.ledger = ledger;
    }

    public CompletableFuture<?> probe(Object node) {
        return ledger.applyAsync(connection.isCluster() ? subjectOn(node) : NOBODY, Operation.ONE);
    }

    /** A subject on that node. If there is none among so many, the node has hardly any slots, and another one is probed instead. */
    private String subjectOn(Object node) {
        String last = subjects.get(node);
        if (last != null && isOn(node, last)) {
            return last;
        }
        subjects.keySet().retainAll(connection.nodes());
        for (int i = 0; i < MOST_SUBJECTS; i++) {
            String subject = NOBODY + i;
            if (isOn(node, subject)) {
                subjects.put(node, subject);
                return subject;
            }
        }
        return NOBODY;
    }

    private boolean isOn(Object node, String subject) {
        return connection.node(names.apply(new Key(SCOPE, subject))).equals(node);
    }
}
