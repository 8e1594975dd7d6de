package io.headgate.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A master, two replicas and three Sentinels. When the master fails, the Sentinels agree on a new one in about three seconds. */
public final class RedisSentinels implements AutoCloseable {

    /** The name of the master in the configuration of the Sentinels. */
    public static final String MASTER = "headgate";

    private static final Duration AGREEING = Duration.ofSeconds(60);

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinels() {}

    /** Starts all processes and waits until every Sentinel knows the replicas and the other Sentinels. */
    public static RedisSentinels start() {
        RedisSentinels started = new RedisSentinels();
        try {
            started.form();
            return started;
        } catch (RuntimeException e) {
            started.close();
            throw e;
        }
    }

    /** The master and the replicas, running or not, without the Sentinels. */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /** The URI with which Lettuce finds the current master. */
    public String uri() {
        List<String> addresses =
                sentinels.stream().map(each -> each.host() + ":" + each.port()).toList();
        return "redis-sentinel://" + String.join(",", addresses) + "#" + MASTER;
    }

    /** The server that the first Sentinel names as the master now. */
    public RedisServer master() {
        int port = masterPort(sentinels.get(0));
        return servers.stream()
                .filter(each -> each.port() == port)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no server of ours is on port " + port));
    }

    /** Kills the master without an orderly shutdown and returns it. */
    public RedisServer killMaster() {
        RedisServer master = master();
        master.kill();
        return master;
    }

    /** Waits until the Sentinels agree on a running master that reports this role itself, and all other running servers replicate it. */
    public void awaitHealthy() {
        Patience.until(AGREEING, "the Sentinels agree on a master", () -> {
            RedisServer master = master();
            long replicas = servers.stream().filter(RedisServer::running).count() - 1;
            return master.running()
                    && master.info("replication", "role").equals("master")
                    && sentinels.stream().allMatch(each -> masterPort(each) == master.port())
                    && servers.stream().filter(each -> follows(each, master)).count() == replicas;
        });
    }

    @Override
    public void close() {
        sentinels.forEach(RedisServer::close);
        servers.forEach(RedisServer::close);
    }

    private void form() {
        RedisServer master = RedisServer.start();
        servers.add(master);
        servers.add(RedisServer.with().replicaOf(master).start());
        servers.add(RedisServer.with().replicaOf(master).start());
        for (int i = 0; i < 3; i++) {
            sentinels.add(RedisServer.with()
                    .sentinel()
                    .set("sentinel monitor " + MASTER, "127.0.0.1 " + master.port() + " 2")
                    .set("sentinel down-after-milliseconds " + MASTER, "1000")
                    .set("sentinel failover-timeout " + MASTER, "3000")
                    .start());
        }
        awaitHealthy();
        Patience.until(
                AGREEING,
                "the Sentinels know each other and the replicas",
                () -> sentinels.stream()
                        .allMatch(each -> field(each, "num-slaves").equals("2")
                                && field(each, "num-other-sentinels").equals("2")));
    }

    private static boolean follows(RedisServer server, RedisServer master) {
        return server.running()
                && server.info("replication", "master_port").equals(String.valueOf(master.port()))
                && server.info("replication", "master_link_status").equals("up");
    }

    private static int masterPort(RedisServer sentinel) {
        return sentinel.command("SENTINEL", "GET-MASTER-ADDR-BY-NAME", MASTER) instanceof List<?> address
                ? Integer.parseInt(String.valueOf(address.get(1)))
                : 0;
    }

    private static String field(RedisServer sentinel, String name) {
        return sentinel.command("SENTINEL", "MASTER", MASTER) instanceof List<?> fields
                ? String.valueOf(fields.get(fields.indexOf(name) + 1))
                : "";
    }
}
