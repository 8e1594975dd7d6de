package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException;
import io.headgate.redis.script.ScriptsTest;
import io.headgate.redis.script.StateFixture;
import io.headgate.rig.RedisCluster;
import io.headgate.rig.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.RedisURI;
import io.lettuce.core.SslOptions;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.resource.ClientResources;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The store as applications meet it: where it connects to, and what it says when it cannot. */
class RedisStoreTest {

    private static final Key KEY = new Key("login", "alice");
    private static final Plan PLAN = Plan.parse("5/day");

    @Test
    void sharesLimitsBetweenStores() {
        try (RedisServer redis = RedisServer.start();
                RedisStore one = RedisStore.connect(redis.uri());
                RedisStore other = RedisStore.connect(redis.uri())) {
            RateLimiter here = Headgate.builder().store(one).unguarded().build().limiter("login", PLAN);
            RateLimiter there =
                    Headgate.builder().store(other).unguarded().build().limiter("login", PLAN);

            Decision.Allowed receipt = (Decision.Allowed) here.tryAcquire("alice", 3);
            assertThat(there.tryAcquire("alice", 2).remaining()).isZero();
            assertThat(here.tryAcquire("alice")).isInstanceOf(Decision.Denied.class);
            there.refund(receipt);
            assertThat(there.tryAcquire("alice").remaining()).isEqualTo(2);
        }
    }

    @Test
    void connectsWhereTheClientOfTheApplicationDoes() {
        try (RedisServer redis = RedisServer.with()
                .user("app", "pass", "~rl:* ~{rl:* +@all")
                .database(3)
                .start()) {
            RedisURI uri = RedisURI.create(redis.uri());
            uri.setCredentialsProvider(
                    RedisCredentialsProvider.from(() -> RedisCredentials.just("app", "pass".toCharArray())));
            try (RedisClient client = RedisClient.create(uri);
                    RedisStore store = RedisStore.builder(client).build()) {
                store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE);

                assertThat(redis.command("DBSIZE")).as("in database 3").isEqualTo(1L);
                assertThat(String.valueOf(redis.command("CLIENT", "LIST"))).contains("user=app");
            }
        }
    }

    @Test
    void needsNoOtherCommandsThanThoseInTheGuide() throws IOException {
        String rules = Files.readString(Path.of("..", "docs", "guide", "redis.md"))
                .replaceAll("(?s).*user limits on >secret (.*?)\n```.*", "$1")
                .replaceAll("\\s+", " ");
        assertThat(rules.replaceAll(".* -@all | ", "").split("\\+", -1))
                .contains("eval", "evalsha")
                .containsAll(ScriptsTest.COMMANDS_OF_6_2.stream()
                        .map(command -> command.toLowerCase(Locale.ROOT))
                        .toList());
        try (RedisServer redis =
                        RedisServer.with().user("limits", "secret", rules).start();
                RedisStore store = RedisStore.connect("redis://limits:secret@127.0.0.1:" + redis.port())) {
            for (String algorithm : StateFixture.algorithms()) {
                Limit limit = Limit.parse("2/day").using(algorithm);
                Limit other = limit.named("other");
                Decision.Allowed receipt = (Decision.Allowed)
                        store.bind(KEY.scope(), Plan.of(limit, other)).apply(KEY.subject(), Operation.ONE);
                for (Operation operation : List.of(
                        Operation.PEEK, new Operation.Refund(receipt), Operation.ONE, Operation.ONE, Operation.RESET)) {
                    store.bind(KEY.scope(), Plan.of(limit, other)).apply(KEY.subject(), operation);
                }
                store.bind(KEY.scope(), Plan.of(limit)).apply(KEY.subject(), Operation.ONE);
                store.bind(KEY.scope(), Plan.of(other)).apply(KEY.subject(), Operation.ONE);
                assertThat(store.bind(KEY.scope(), Plan.of(other, limit))
                                .apply(KEY.subject(), Operation.RESET)
                                .allowed())
                        .isTrue();
            }
        }
    }

    /** By URI, or by a client that trusts the certificate of the server. */
    @Test
    void speaksTls() {
        try (RedisServer redis = RedisServer.with().tls().start()) {
            RedisURI uri = RedisURI.create(redis.tlsUri());
            uri.setVerifyPeer(false);
            try (RedisStore store = RedisStore.builder(uri).build()) {
                assertThat(store.bind(KEY.scope(), PLAN)
                                .apply(KEY.subject(), Operation.ONE)
                                .remaining())
                        .isEqualTo(4);
            }
            try (RedisClient client = RedisClient.create(redis.tlsUri())) {
                client.setOptions(ClientOptions.builder()
                        .sslOptions(SslOptions.builder()
                                .trustManager(redis.certificate().toFile())
                                .build())
                        .build());
                try (RedisStore store = RedisStore.builder(client).build()) {
                    assertThat(store.bind(KEY.scope(), PLAN)
                                    .apply(KEY.subject(), Operation.ONE)
                                    .remaining())
                            .isEqualTo(3);
                }
            }
            assertThatThrownBy(() -> RedisStore.connect(redis.tlsUri()))
                    .isInstanceOf(StoreException.class)
                    .hasMessageContaining("localhost:" + (redis.port() + 1));
        }
    }

    @Test
    void leavesTheClientOfTheApplicationAsItWas() {
        try (RedisServer redis = RedisServer.start();
                RedisClient client = RedisClient.create(redis.uri())) {
            RedisStore.builder(client).build().close();

            assertThat(client.connect().sync().ping()).isEqualTo("PONG");
            assertThat(client.getOptions().getDisconnectedBehavior())
                    .isEqualTo(ClientOptions.DisconnectedBehavior.DEFAULT);
        }
    }

    @Test
    void tellsWhatRedisDoesWhenItIsFull() {
        try (RedisServer redis = RedisServer.with()
                        .set("maxmemory-policy", "allkeys-lru")
                        .user("limits", "secret", "~rl:* ~{rl:* +@all -config")
                        .start();
                RedisStore store = RedisStore.connect(redis.uri());
                RedisStore limited = RedisStore.connect("redis://limits:secret@127.0.0.1:" + redis.port())) {
            assertThat(store.evictionPolicies().join()).containsExactly("allkeys-lru");
            assertThatThrownBy(limited.evictionPolicies()::join)
                    .hasCauseInstanceOf(StoreException.class)
                    .hasMessageContaining("NOPERM");
        }
    }

    @Test
    void tellsItOfAClusterThatComesLater() {
        try (RedisCluster cluster = RedisCluster.start()) {
            cluster.masters().get(1).command("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
            cluster.nodes().forEach(RedisServer::freeze);
            try (RedisStore store = RedisStore.builder(
                            cluster.uris().stream().map(RedisURI::create).toList())
                    .startDegraded()
                    .build()) {
                CompletableFuture<Set<String>> policies = store.evictionPolicies();
                assertThat(policies).isNotDone();
                cluster.nodes().forEach(RedisServer::thaw);

                assertThat(policies.join()).containsExactlyInAnyOrder("noeviction", "volatile-ttl");
            }
        }
    }

    /** A client that was given no threads ends its own with itself. */
    @Test
    void outlivesTheClientOfTheApplication() {
        try (RedisServer redis = RedisServer.start()) {
            RedisClient client = RedisClient.create(redis.uri());
            RedisStore store = RedisStore.builder(client).build();
            client.shutdown();

            assertThat(store.bind(KEY.scope(), PLAN)
                            .apply(KEY.subject(), Operation.ONE)
                            .remaining())
                    .isEqualTo(4);
            assertThat(CompletableFuture.runAsync(store::close)).succeedsWithin(Duration.ofSeconds(20));
        }
    }

    /** Which thread ends first is chance, and with some orders a connection never says that it is closed: hence several. */
    @Test
    void closesAfterTheThreadsThatItWasGiven() {
        try (RedisServer redis = RedisServer.start()) {
            List<RedisStore> stores = new ArrayList<>();
            List<Future<?>> ends = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                ClientResources threads = ClientResources.create();
                RedisClient client = RedisClient.create(threads, redis.uri());
                stores.add(RedisStore.builder(client).build());
                client.connect();
                ends.add(threads.shutdown(0, 1, TimeUnit.SECONDS));
            }
            ends.forEach(Future::awaitUninterruptibly);

            for (RedisStore store : stores) {
                assertThat(CompletableFuture.runAsync(store::close)).succeedsWithin(Duration.ofSeconds(20));
            }
        }
    }

    /** Known bug R1. */
    @Test
    void keepsAPlanOfSeveralLimitsOnACluster() {
        try (RedisCluster cluster = RedisCluster.start();
                RedisClusterClient client = RedisClusterClient.create(
                        cluster.uris().stream().map(RedisURI::create).toList());
                RedisStore store = RedisStore.builder(client).build()) {
            Plan plan = Plan.parse("5/day", "9/day");
            for (int i = 0; i < 20; i++) {
                assertThat(store.bind("login", plan)
                                .apply("client " + i, Operation.ONE)
                                .remaining())
                        .isEqualTo(4);
            }
        }
    }

    @Test
    void asksForANodeOfTheCluster() {
        assertThatThrownBy(() -> RedisStore.builder(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one");
    }

    /** Nothing can be taken back with it, in silence or otherwise; a receipt of another connection to Redis is as good as any. */
    @Test
    void rejectsTheReceiptOfAStoreThatIsNotInRedis() {
        try (RedisServer redis = RedisServer.start();
                RedisStore store = RedisStore.connect(redis.uri());
                RedisStore same = RedisStore.connect(redis.uri())) {
            Ledger ledger = store.bind(KEY.scope(), PLAN);
            Ledger memory = Headgate.builder().build().store().bind(KEY.scope(), PLAN);
            Operation foreign = new Operation.Refund((Decision.Allowed) memory.apply(KEY.subject(), Operation.ONE));

            assertThatThrownBy(() -> ledger.apply(KEY.subject(), foreign))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("another store has made the receipt")
                    .hasMessageContaining("for '" + KEY.subject() + "'")
                    .hasMessageContaining("refund it with a limiter of the store that was charged");
            assertThatThrownBy(() -> ledger.applyAsync(KEY.subject(), foreign))
                    .isInstanceOf(IllegalArgumentException.class);

            Decision.Allowed charged =
                    (Decision.Allowed) same.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE);
            assertThat(ledger.apply(KEY.subject(), new Operation.Refund(charged))
                            .remaining())
                    .isEqualTo(5);
        }
    }

    /** Known bug A8: waiting there for an answer would be waiting for itself. */
    @Test
    void rejectsWaitingOnAThreadThatReadsAnswers() throws Exception {
        try (RedisServer redis = RedisServer.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            CompletableFuture<Object> blocked = new CompletableFuture<>();
            store.bind(KEY.scope(), PLAN)
                    .applyAsync(KEY.subject(), Operation.ONE)
                    .thenRun(() -> {
                        try {
                            blocked.complete(store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE));
                        } catch (RuntimeException e) {
                            blocked.complete(e);
                        }
                    });
            Object outcome = blocked.get(10, TimeUnit.SECONDS);

            // The answer may have been there before thenRun: then this very thread ran it, and may wait.
            assertThat(outcome).isInstanceOfAny(IllegalStateException.class, Decision.Allowed.class);
        }
    }
}
