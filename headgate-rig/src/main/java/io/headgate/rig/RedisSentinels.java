package io.headgate.rig;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A master, two replicas and three Sentinels that agree, in about three seconds, on a new master when it fails. */
public final class RedisSentinels implements AutoCloseable {

    /** What the Sentinels call the master. */
    public static final String MASTER = "headgate";

    private static final Duration AGREEING = Duration.ofSeconds(60);

    private final List<RedisServer> servers = new ArrayList<>();
    private final List<RedisServer> sentinels = new ArrayList<>();

    private RedisSentinels() {}

    /** Starts them all and waits until every Sentinel knows everybody. */
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

    /** The servers, running or not; the Sentinels are not among them. */
    public List<RedisServer> servers() {
        return List.copyOf(servers);
    }

    /** Where Lettuce finds the master, whoever that is. */
    public String uri() {
        List<String> addresses =
                sentinels.stream().map(each -> each.host() + ":" + each.port()).toList();
        return "redis-sentinel://" + String.join(",", addresses) + "#" + MASTER;
    }

    /** Whom the Sentinels name as the master now. */
    public RedisServer master() {
        int port = masterPort(sentinels.get(0));
        return servers.stream()
                .filter(each -> each.port() == port)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no server of ours is on port " + port));
    }

    /** Kills the master, with no farewell, and returns it. */
    public RedisServer killMaster() {
        RedisServer master = master();
        master.kill();
        return master;
    }

    /** Waits until the Sentinels agree on a master that runs, says so itself, and has every other running server behind it. */
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
