package io.headgate.redis;

import io.headgate.StoreException.Reason;
import io.headgate.rig.FaultProxy;
import io.headgate.rig.RedisServer;
import java.time.Duration;
import java.util.Set;

/** Ways for a Redis to fail, and to come back. */
@SuppressWarnings("ImmutableEnumChecker") // Set.of is, and the acts have no state
enum Fault {
    KILLED(
            "the process is killed, and comes back with nothing in it",
            Set.of(Reason.UNREACHABLE),
            (redis, network) -> redis.kill(),
            (redis, network) -> redis.restartEmpty()),

    FROZEN(
            "SIGSTOP",
            Set.of(Reason.TIMEOUT, Reason.UNREACHABLE),
            (redis, network) -> redis.freeze(),
            (redis, network) -> redis.thaw()),

    PAUSED(
            "CLIENT PAUSE of all writes",
            Set.of(Reason.TIMEOUT, Reason.UNREACHABLE),
            (redis, network) -> redis.command("CLIENT", "PAUSE", "60000", "WRITE"),
            (redis, network) -> redis.command("CLIENT", "UNPAUSE")),

    OUT_OF_MEMORY(
            "maxmemory of one byte",
            Set.of(Reason.FULL),
            (redis, network) -> redis.command("CONFIG", "SET", "maxmemory", "1"),
            (redis, network) -> redis.command("CONFIG", "SET", "maxmemory", "0")),

    READ_ONLY(
            "it follows a master that is not there",
            Set.of(Reason.READ_ONLY),
            (redis, network) -> redis.command("REPLICAOF", "127.0.0.1", "1"),
            (redis, network) -> redis.command("REPLICAOF", "NO", "ONE")),

    /** Redis lets connections be that have said the old one, so they are ended. */
    PASSWORD_CHANGED(
            "another password, and connections that knew the old one ended",
            Set.of(Reason.UNAUTHORIZED),
            (redis, network) -> {
                redis.command("ACL", "SETUSER", Fault.USER, "resetpass", ">another");
                redis.command("CLIENT", "KILL", "USER", Fault.USER);
            },
            (redis, network) -> redis.command("ACL", "SETUSER", Fault.USER, "resetpass", ">" + Fault.PASSWORD)),

    HALF_OPEN(
            "connections stay open, and nothing comes back through them",
            Set.of(Reason.TIMEOUT, Reason.UNREACHABLE),
            (redis, network) -> network.blackHole(),
            (redis, network) -> network.pass()),

    REFUSED(
            "connections are cut, and new ones refused",
            Set.of(Reason.UNREACHABLE),
            (redis, network) -> network.refuse(),
            (redis, network) -> network.pass()),

    SLOW(
            "200 ms on every way, so every answer comes too late",
            Set.of(Reason.TIMEOUT, Reason.UNREACHABLE),
            (redis, network) -> network.delay(Duration.ofMillis(200)),
            (redis, network) -> network.pass()),

    /** Some requests get through. */
    CUT(
            "connections are cut again and again, and 30 % of new ones at their first use",
            Set.of(Reason.UNREACHABLE),
            (redis, network) -> network.cutShare(
                    0.3, io.headgate.testkit.Seeds.random(Fault.class).nextLong()),
            (redis, network) -> network.cut(),
            (redis, network) -> network.pass());

    /** Whom the store connects as. */
    static final String USER = "app";

    static final String PASSWORD = "secret";

    private interface Act {
        void on(RedisServer redis, FaultProxy network);
    }

    private final String text;
    private final Set<Reason> reasons;
    private final Act strike;
    private final Act again;
    private final Act heal;
    private final boolean total;

    Fault(String text, Set<Reason> reasons, Act strike, Act heal) {
        this(text, reasons, strike, (redis, network) -> {}, heal, true);
    }

    Fault(String text, Set<Reason> reasons, Act strike, Act again, Act heal) {
        this(text, reasons, strike, again, heal, false);
    }

    Fault(String text, Set<Reason> reasons, Act strike, Act again, Act heal, boolean total) {
        this.text = text;
        this.reasons = reasons;
        this.strike = strike;
        this.again = again;
        this.heal = heal;
        this.total = total;
    }

    String text() {
        return text;
    }

    /** What it may be counted as, beside what the guard does on its own. */
    Set<Reason> reasons() {
        return reasons;
    }

    /** Whether nothing gets through. */
    boolean total() {
        return total;
    }

    void strike(RedisServer redis, FaultProxy network) {
        strike.on(redis, network);
    }

    /** To be called now and then while it lasts. */
    void goOn(RedisServer redis, FaultProxy network) {
        again.on(redis, network);
    }

    void heal(RedisServer redis, FaultProxy network) {
        heal.on(redis, network);
    }

    /** A Redis that all of these can happen to. */
    static RedisServer redis() {
        return RedisServer.with().user(USER, PASSWORD, "~* +@all").start();
    }

    /** Where to find it through that network. */
    static String uri(FaultProxy network) {
        return "redis://" + USER + ":" + PASSWORD + "@127.0.0.1:" + network.port();
    }
}
