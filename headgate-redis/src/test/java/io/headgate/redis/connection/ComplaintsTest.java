package io.headgate.redis.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.redis.RedisStore;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Redis is there and does not serve: each case is one failure that says what happened, and what was rejected was not charged.
 * Known bug R5.
 */
class ComplaintsTest {

    private static final Key KEY = new Key("login", "alice");
    private static final Plan PLAN = Plan.parse("5/day", "9/day");

    @Test
    void wantsAPasswordOrAnother() {
        try (RedisServer redis = RedisServer.with().password("right").start()) {
            String address = "127.0.0.1:" + redis.port();
            assertThat(connecting("redis://" + address))
                    .hasMessageContaining("NOAUTH")
                    .hasMessageContaining(address)
                    .returns(Reason.UNAUTHORIZED, StoreException::reason);
            assertThat(connecting("redis://:wrong@" + address))
                    .hasMessageContaining("WRONGPASS")
                    .returns(Reason.UNAUTHORIZED, StoreException::reason)
                    .extracting(String::valueOf)
                    .asString()
                    .doesNotContain("wrong@");
        }
    }

    /** In the words of Redis from 7.2 on and of Valkey. */
    @Test
    void doesNotLetThisUserInNewerWords() {
        String said =
                "ERR ACL failure in script: User bob has no permissions to run the 'set' command script: 50142d, on @user";

        assertThat(Failures.of(new RedisCommandExecutionException(said), "localhost:6379"))
                .hasMessageContaining("does not let this user")
                .returns(Reason.UNAUTHORIZED, StoreException::reason);
    }

    /** What a script failed for comes first, or after where that was; what follows it can be anything. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "UNREADABLE | HEADGATE cannot read the state at ROOM:BUSY",
                "FULL | OOM command not allowed when used memory > 'maxmemory'. script: 50142d, on @user_script:12.",
                "FULL | ERR Error running script (call to f_50142d): @user_script:12: @user_script: 12: -OOM command not allowed",
                "READ_ONLY | ERR Error running script (call to f_50142d): @user_script:12: @user_script: 12: -READONLY You can't",
                "UNAUTHORIZED | ERR Error running script (call to f_50142d): @user_script:1: @user_script: 1: The user executing the script can't",
                "UNAUTHORIZED | ERR The user executing the script can't run this command or subcommand script: 50142d, on @user_s",
                "SCRIPT | ERR unknown command 'GET', with args beginning with: 'ROOM:alice'",
                "SCRIPT | ERR Error running script (call to f_50142d): @user_script:1: @user_script: 1: Unknown Redis command OOM"
            })
    void isToldByHowItBegins(Reason reason, String said) {
        assertThat(Failures.of(new RedisCommandExecutionException(said), "localhost:6379"))
                .hasMessageContaining(said)
                .returns(reason, StoreException::reason);
    }

    /** Of a cluster Lettuce tells what each node said. */
    @Test
    void isToldByHowItBeginsOfEveryNode() {
        String said = """
                Cannot retrieve cluster partitions from [redis://app:******@node1?timeout=2s, redis://app:******@node2?timeout=2s]

                Details:
                \t[redis://app:******@node1?timeout=2s]: Unable to connect to node1/<unresolved>:6379
                \t[redis://app:******@node2?timeout=2s]: NOPERM this user has no permissions to run the 'cluster|nodes' command
                """;

        assertThat(Failures.of(new RedisException(said), "node1:6379, node2:6379"))
                .returns(Reason.UNAUTHORIZED, StoreException::reason);
    }

    @Test
    void keepsSomethingElseUnderAKeyThatSoundsLikeAComplaint() {
        try (RedisServer redis = RedisServer.start();
                RedisStore store = RedisStore.builder(RedisURI.create(redis.uri()))
                        .keyPrefix("ROOM:")
                        .readableKeys()
                        .build()) {
            redis.command("SET", "{ROOM:login:alice}:token-bucket:0", "something else");

            assertThat(failure(store)).returns(Reason.UNREADABLE, StoreException::reason);
        }
    }

    @Test
    void doesNotLetThisUser() {
        try (RedisServer redis = RedisServer.with()
                        .user("reader", "pass", "~* +@all -@write")
                        .start();
                RedisStore store = RedisStore.connect("redis://reader:pass@127.0.0.1:" + redis.port())) {
            assertThat(failure(store)).returns(Reason.UNAUTHORIZED, StoreException::reason);
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void isAReplica() {
        try (RedisServer master = RedisServer.start();
                RedisServer replica = RedisServer.with().replicaOf(master).start();
                RedisStore store = RedisStore.connect(replica.uri())) {
            assertThat(failure(store))
                    .hasMessageContaining("READONLY")
                    .returns(Reason.READ_ONLY, StoreException::reason);
            replica.command("REPLICAOF", "NO", "ONE");
            assertNothingCharged(store);
        }
    }

    @Test
    void hasNoMemoryLeft() {
        try (RedisServer redis = RedisServer.with().maxMemory("1").start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            assertThat(failure(store)).hasMessageContaining("OOM").returns(Reason.FULL, StoreException::reason);
            redis.command("CONFIG", "SET", "maxmemory", "0");
            assertNothingCharged(store);
        }
    }

    @Test
    void doesNotAcceptAScript() {
        try (RedisServer redis =
                        RedisServer.with().set("rename-command", "SET \"\"").start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            assertThat(failure(store))
                    .hasMessageContaining("rejected a script")
                    .returns(Reason.SCRIPT, StoreException::reason);
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void hasNoSlotsInItsCluster() {
        try (RedisServer slotless =
                        RedisServer.with().set("cluster-enabled", "yes").start();
                RedisStore store = RedisStore.connect(slotless.uri())) {
            assertThat(failure(store))
                    .hasMessageContaining("CLUSTERDOWN")
                    .returns(Reason.NOT_SERVING, StoreException::reason);
        }
    }

    @Test
    void isBusyWithAScript() {
        try (RedisServer redis = RedisServer.with().set("lua-time-limit", "1").start();
                RedisStore store = patient(redis)) {
            CompletableFuture<Object> endless =
                    CompletableFuture.supplyAsync(() -> quietly(() -> redis.command("EVAL", "while true do end", "0")));

            assertThat(untilItFails(store))
                    .hasMessageContaining("BUSY")
                    .returns(Reason.NOT_SERVING, StoreException::reason);
            redis.command("SCRIPT", "KILL");
            endless.join();
            assertNothingCharged(store);
        }
    }

    @Test
    void isStillLoading() {
        try (RedisServer redis = RedisServer.with()
                        .set("enable-debug-command", "yes")
                        .set("loading-process-events-interval-bytes", "1024")
                        .start();
                RedisStore store = patient(redis)) {
            redis.command("DEBUG", "POPULATE", "3000", "filling", "1000");
            redis.command("CONFIG", "SET", "key-load-delay", "1000");
            CompletableFuture<Object> reload =
                    CompletableFuture.supplyAsync(() -> quietly(() -> redis.command("DEBUG", "RELOAD")));

            assertThat(untilItFails(store))
                    .hasMessageContaining("LOADING")
                    .returns(Reason.NOT_SERVING, StoreException::reason);
            redis.command("CONFIG", "SET", "key-load-delay", "0");
            reload.join();
            assertNothingCharged(store);
        }
    }

    private static RedisStore patient(RedisServer redis) {
        return RedisStore.builder(RedisURI.create(redis.uri()))
                .timeout(Duration.ofSeconds(20))
                .build();
    }

    private static StoreException connecting(String uri) {
        return catchThrowableOfType(StoreException.class, () -> RedisStore.connect(uri));
    }

    private static StoreException failure(RedisStore store) {
        return catchThrowableOfType(
                StoreException.class, () -> store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE));
    }

    /** Looks until that fails, and then asks for a permit. */
    private static StoreException untilItFails(RedisStore store) {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        StoreException failure = null;
        while (failure == null && System.nanoTime() < deadline) {
            failure = catchThrowableOfType(
                    StoreException.class, () -> store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.PEEK));
        }
        assertThat(failure).isNotNull();
        assertThat(failure(store)).hasMessage(failure.getMessage());
        return failure;
    }

    private static void assertNothingCharged(RedisStore store) {
        assertThat(store.bind(KEY.scope(), PLAN)
                        .apply(KEY.subject(), Operation.PEEK)
                        .remaining())
                .isEqualTo(5);
    }

    private static Object quietly(Supplier<Object> command) {
        try {
            return String.valueOf(command.get());
        } catch (RuntimeException e) { // a script that was killed ends with an error
            return e;
        }
    }
}
