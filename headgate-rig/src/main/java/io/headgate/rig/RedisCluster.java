package io.headgate.rig;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A real Redis Cluster on loopback ports: three masters with a third of the slots each, and one replica of each master.
 *
 * <p>The node timeout is one second, so a replica takes over about four seconds after its master was killed.
 */
public final class RedisCluster implements AutoCloseable {

    public static final int SLOTS = 16_384;

    private static final int MASTERS = 3;
    private static final Duration FORMING = Duration.ofSeconds(60);

    private final List<RedisServer> nodes = new ArrayList<>();

    private RedisCluster() {}

    /** Starts six nodes and waits until every slot is served and every replica is connected to its master. */
    public static RedisCluster start() {
        RedisCluster cluster = new RedisCluster();
        try {
            cluster.form();
            return cluster;
        } catch (RuntimeException e) {
            cluster.close();
            throw e;
        }
    }

    /** All nodes, running or not. */
    public List<RedisServer> nodes() {
        return List.copyOf(nodes);
    }

    /** The URIs of the running nodes. */
    public List<String> uris() {
        return running().stream().map(RedisServer::uri).toList();
    }

    /** The slot of a key: the hash of its hash tag in braces, if it has one, otherwise of the whole key. */
    public static int slotOf(String key) {
        int open = key.indexOf('{');
        int close = open < 0 ? -1 : key.indexOf('}', open + 1);
        String hashed = close > open + 1 ? key.substring(open + 1, close) : key;
        int crc = 0;
        for (byte each : hashed.getBytes(UTF_8)) {
            crc ^= (each & 0xff) << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
            }
        }
        return (crc & 0xffff) % SLOTS;
    }

    /** The node that serves the slot now. */
    public RedisServer masterOf(int slot) {
        for (RedisServer node : running()) {
            for (View each : view(node)) {
                if (each.master && each.mine && each.serves(slot)) {
                    return node;
                }
            }
        }
        throw new IllegalStateException("nobody serves slot " + slot);
    }

    /** The node that serves the key now. */
    public RedisServer masterOf(String key) {
        return masterOf(slotOf(key));
    }

    /** The running nodes that are masters now. */
    public List<RedisServer> masters() {
        return running().stream()
                .filter(node -> node.info("replication", "role").equals("master"))
                .toList();
    }

    /** Kills the node that serves the key, without an orderly shutdown, and returns it. */
    public RedisServer killMasterOf(String key) {
        RedisServer master = masterOf(key);
        master.kill();
        return master;
    }

    /** Waits until every running node sees all slots served by running nodes, and every replica is connected to its master. */
    public void awaitHealthy() {
        Patience.until(
                FORMING, "the cluster is healthy", () -> running().stream().allMatch(this::healthy));
    }

    /** Moves a slot with all its keys to another master. Clients get {@code ASK} during the migration and {@code MOVED} after it. */
    public void migrateSlot(int slot, RedisServer to) {
        try (Migration migration = beginMigration(slot, to)) {
            migration.moveKeys();
        }
    }

    /** Begins to migrate a slot. Until the migration is closed, the old master redirects requests for absent keys to the target. */
    public Migration beginMigration(int slot, RedisServer to) {
        return new Migration(slot, masterOf(slot), to);
    }

    /** A slot in migration from one master to another. */
    public final class Migration implements AutoCloseable {

        private final String slot;
        private final RedisServer from;
        private final RedisServer to;

        private Migration(int slot, RedisServer from, RedisServer to) {
            this.slot = String.valueOf(slot);
            this.from = from;
            this.to = to;
            to.command("CLUSTER", "SETSLOT", this.slot, "IMPORTING", id(from));
            from.command("CLUSTER", "SETSLOT", this.slot, "MIGRATING", id(to));
        }

        /** Moves the keys that are in the slot now. */
        public void moveKeys() {
            while (from.command("CLUSTER", "GETKEYSINSLOT", slot, "100") instanceof List<?> keys && !keys.isEmpty()) {
                List<String> command = new ArrayList<>(List.of("MIGRATE", to.host(), String.valueOf(to.port())));
                command.addAll(List.of("", "0", "5000", "KEYS"));
                keys.forEach(key -> command.add((String) key));
                from.command(command.toArray(String[]::new));
            }
        }

        /** Moves the remaining keys and makes the target the master of the slot. */
        @Override
        public void close() {
            moveKeys();
            String owner = id(to);
            to.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
            from.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
            for (RedisServer node : masters()) {
                node.command("CLUSTER", "SETSLOT", slot, "NODE", owner);
            }
        }
    }

    @Override
    public void close() {
        nodes.forEach(RedisServer::close);
    }

    private void form() {
        for (int i = 0; i < 2 * MASTERS; i++) {
            nodes.add(RedisServer.with()
                    .set("cluster-enabled", "yes")
                    .set("cluster-node-timeout", "1000")
                    .set("cluster-replica-validity-factor", "0")
                    .set("cluster-migration-barrier", "10")
                    .start());
        }
        for (int i = 0; i < nodes.size(); i++) {
            nodes.get(i).command("CLUSTER", "SET-CONFIG-EPOCH", String.valueOf(i + 1));
            if (i < MASTERS) {
                nodes.get(i).command(addSlots(i * SLOTS / MASTERS, (i + 1) * SLOTS / MASTERS));
            }
        }
        for (RedisServer node : nodes.subList(1, nodes.size())) {
            nodes.get(0).command("CLUSTER", "MEET", node.host(), String.valueOf(node.port()));
        }
        Patience.until(
                FORMING,
                "the nodes know each other",
                () -> nodes.stream()
                        .allMatch(
                                node -> view(node).stream().filter(View::known).count() == nodes.size()));
        for (int i = MASTERS; i < nodes.size(); i++) {
            RedisServer replica = nodes.get(i);
            String master = id(nodes.get(i - MASTERS));
            Patience.until(
                    FORMING, "a replica follows", () -> "OK".equals(replica.command("CLUSTER", "REPLICATE", master)));
        }
        Patience.until(
                FORMING,
                "the nodes agree who is a replica",
                () -> nodes.stream()
                        .allMatch(
                                node -> view(node).stream().filter(View::master).count() == MASTERS));
        awaitHealthy();
    }

    private static String[] addSlots(int from, int to) {
        List<String> command = new ArrayList<>(List.of("CLUSTER", "ADDSLOTS"));
        IntStream.range(from, to).mapToObj(String::valueOf).forEach(command::add);
        return command.toArray(String[]::new);
    }

    private boolean healthy(RedisServer node) {
        boolean replicates = node.info("replication", "role").equals("master")
                || node.info("replication", "master_link_status").equals("up");
        List<Integer> ports = running().stream().map(RedisServer::port).toList();
        int served = view(node).stream()
                .filter(each -> each.master && !each.failing && ports.contains(each.port))
                .mapToInt(View::slots)
                .sum();
        return replicates
                && served == SLOTS
                && String.valueOf(node.command("CLUSTER", "INFO")).contains("cluster_state:ok");
    }

    private List<RedisServer> running() {
        return nodes.stream().filter(RedisServer::running).toList();
    }

    private static String id(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "MYID"));
    }

    private static List<View> view(RedisServer node) {
        return String.valueOf(node.command("CLUSTER", "NODES"))
                .lines()
                .map(View::parse)
                .toList();
    }

    /** What one node reports about another node or about itself. */
    private record View(int port, boolean mine, boolean master, boolean failing, boolean known, List<int[]> ranges) {

        /** Parses a line such as {@code <id> 127.0.0.1:7000@17000 myself,master - 0 0 1 connected 0-5460}. */
        static View parse(String line) {
            List<String> parts = List.of(line.split(" "));
            String address = parts.get(1);
            List<String> flags = List.of(parts.get(2).split(","));
            List<int[]> ranges = new ArrayList<>();
            for (String each : parts.subList(8, parts.size())) {
                if (!each.startsWith("[")) {
                    int dash = each.indexOf('-');
                    int from = Integer.parseInt(dash < 0 ? each : each.substring(0, dash));
                    ranges.add(new int[] {from, dash < 0 ? from : Integer.parseInt(each.substring(dash + 1))});
                }
            }
            return new View(
                    Integer.parseInt(address.substring(address.indexOf(':') + 1, address.indexOf('@'))),
                    flags.contains("myself"),
                    flags.contains("master"),
                    flags.contains("fail") || flags.contains("fail?"),
                    !flags.contains("handshake") && !flags.contains("noaddr"),
                    ranges);
        }

        boolean serves(int slot) {
            return ranges.stream().anyMatch(range -> range[0] <= slot && slot <= range[1]);
        }

        int slots() {
            return ranges.stream().mapToInt(range -> range[1] - range[0] + 1).sum();
        }
    }
}
