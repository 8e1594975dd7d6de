package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.rig.FaultProxy;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.resource.ClientResources;
import io.lettuce.core.resource.SocketAddressResolver;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How the store starts with and without Redis, and what happens to operations while the connection is lost. */
class ConnectionTest {

    private static final Key KEY = new Key("login", "alice");
    private static final Plan PLAN = Plan.parse("5/day");

    @Test
    void namesTheAddressThatCannotBeReached() {
        assertThatThrownBy(() -> RedisStore.connect("redis://127.0.0.1:1"))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREACHABLE))
                .hasMessageContaining("127.0.0.1:1");
    }

    /** Known bug O11: the first call takes long, and whoever made it after the start would miss a deadline. */
    @Test
    void makesTheFirstCallItself() {
        try (RedisServer redis = RedisServer.start();
                RedisStore store = RedisStore.connect(redis.uri())) {
            assertThat(store).isNotNull();
            assertThat(redis.calls("eval")).isEqualTo(1L);
            assertThat(redis.command("DBSIZE")).isEqualTo(0L);
        }
    }

    @Test
    void doesNotStartAsAUserWhoMayNotRunScripts() {
        try (RedisServer redis = RedisServer.with()
                .user("limits", "secret", "~rl:* ~{rl:* +@all -@scripting")
                .start()) {
            assertThatThrownBy(() -> RedisStore.connect("redis://limits:secret@127.0.0.1:" + redis.port()))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNAUTHORIZED))
                    .hasMessageContaining("does not let this user run scripts");
            assertThat(String.valueOf(redis.command("CLIENT", "LIST"))).doesNotContain("user=limits");
        }
    }

    @Test
    void connectsOnceMoreIfTheConnectionHasOnlyEnded() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy network = FaultProxy.to(redis)) {
            network.cutAfterReplyBytes(0);
            try (RedisStore store = RedisStore.connect("redis://127.0.0.1:" + network.port())) {
                assertThat(store.bind(KEY.scope(), PLAN)
                                .apply(KEY.subject(), Operation.ONE)
                                .remaining())
                        .isEqualTo(4);
                assertThat(network.accepted()).isEqualTo(2);
            }
        }
    }

    @Test
    void startsWithoutRedisWhenAskedToAndConnectsWhenItCan() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy network = FaultProxy.to(redis)) {
            network.refuse();
            try (RedisStore store = RedisStore.builder(RedisURI.create("127.0.0.1", network.port()))
                    .startDegraded()
                    .build()) {
                assertThat(failure(store).reason()).isEqualTo(Reason.UNREACHABLE);
                network.pass();
                assertThat(eventually(store).remaining()).isEqualTo(4);
            }
        }
    }

    @Test
    void saysWhyItStartsWithoutRedisAndConnectsWhenItCan() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy network = FaultProxy.to(redis)) {
            network.refuse();
            List<Reason> said = new ArrayList<>();
            try (RedisStore store = RedisStore.builder(RedisURI.create("127.0.0.1", network.port()))
                    .startDegraded(failure -> said.add(failure.reason()))
                    .build()) {
                assertThat(said).containsExactly(Reason.UNREACHABLE);
                assertThat(failure(store).reason()).isEqualTo(Reason.UNREACHABLE);
                network.pass();
                assertThat(eventually(store).remaining()).isEqualTo(4);
                assertThat(said).hasSize(1);
            }
        }
    }

    /** What no later attempt can mend is a reason not to start. */
    @Test
    void doesNotStartIfTheCallbackThrows() {
        try (RedisServer redis = RedisServer.with().password("secret").start();
                FaultProxy network = FaultProxy.to(redis)) {
            RedisStoreBuilder builder = RedisStore.builder(RedisURI.create("127.0.0.1", network.port()))
                    .startDegraded(failure -> {
                        throw new IllegalStateException(failure.reason().name());
                    });

            assertThatIllegalStateException().isThrownBy(builder::build).withMessage("UNAUTHORIZED");
        }
    }

    /** While it connects the application closes it: what is connected then is closed as well. */
    @Test
    void closesAConnectionThatIsMadeTooLate() {
        AtomicReference<RedisStore> store = new AtomicReference<>();
        ClientResources shared = ClientResources.builder()
                .socketAddressResolver(new SocketAddressResolver() {
                    @Override
                    public SocketAddress resolve(RedisURI uri) {
                        if (store.get() != null) {
                            store.get().close();
                        }
                        return super.resolve(uri);
                    }
                })
                .build();
        try (RedisServer redis = RedisServer.start();
                FaultProxy network = FaultProxy.to(redis);
                RedisClient client = RedisClient.create(shared, RedisURI.create("127.0.0.1", network.port()))) {
            client.connect(RedisURI.create(redis.uri())); // else threads would end with the store
            network.refuse();
            RedisStore late = RedisStore.builder(client).startDegraded().build();
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            while (!String.valueOf(failure(late).getMessage()).contains("refused")) { // the first attempt is not over
                assertThat(System.nanoTime()).as("there is no connection").isLessThan(deadline);
                Thread.onSpinWait();
            }
            network.pass();
            store.set(late);

            while (network.accepted() == 0 || network.open() > 0) {
                assertThat(System.nanoTime()).as("connections are open").isLessThan(deadline);
                Thread.onSpinWait();
            }
        } finally {
            shared.shutdown(0, 1, TimeUnit.SECONDS);
        }
    }

    /** Known bug A9: executed, cut off before the answer: charged once, and not again after the connection is back. */
    @Test
    void neverSendsAScriptAgainAfterAReconnect() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy network = FaultProxy.to(redis);
                RedisStore store = RedisStore.connect("redis://127.0.0.1:" + network.port())) {
            store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE);
            network.loseReplyTo("EVALSHA");

            assertThat(failure(store).reason()).isEqualTo(Reason.UNREACHABLE);
            assertThat(eventually(store, Operation.PEEK).remaining()).isEqualTo(3);
        }
    }

    /** Without a word on the wire: the failure is there when the call returns. */
    @Test
    void rejectsAtOnceWhileThereIsNoConnection() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy network = FaultProxy.to(redis);
                RedisStore store = RedisStore.connect("redis://127.0.0.1:" + network.port())) {
            store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE);
            network.refuse();
            long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
            CompletableFuture<Decision> asked = store.bind(KEY.scope(), PLAN).applyAsync(KEY.subject(), Operation.ONE);
            while (!asked.isDone()) { // until the end of the connection is noticed
                assertThat(System.nanoTime()).isLessThan(deadline);
                asked.handle((decision, failure) -> failure).join(); // else those in line keep it from being noticed
                asked = store.bind(KEY.scope(), PLAN).applyAsync(KEY.subject(), Operation.ONE);
            }

            for (int i = 0; i < 100; i++) {
                assertThat(store.bind(KEY.scope(), PLAN).applyAsync(KEY.subject(), Operation.ONE))
                        .isCompletedExceptionally();
            }
            assertThat(failure(store)).hasMessageContaining("127.0.0.1:" + network.port());
            network.pass();
            assertThat(eventually(store).remaining()).isEqualTo(3);
        }
    }

    /** Known bug R7. */
    @Test
    void givesUpAConnectionThatOwesAnAnswer() {
        try (RedisServer redis = RedisServer.start();
                FaultProxy network = FaultProxy.to(redis);
                RedisStore store = RedisStore.builder(RedisURI.create("127.0.0.1", network.port()))
                        .timeout(Duration.ofMillis(200))
                        .build()) {
            store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE);
            network.blackHole();
            long before = System.nanoTime();

            failure(store);
            assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(3));
            network.pass();
            eventually(store);
        }
    }

    private static StoreException failure(RedisStore store) {
        return catchThrowableOfType(
                StoreException.class, () -> store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE));
    }

    private static Decision eventually(RedisStore store) {
        return eventually(store, Operation.ONE);
    }

    private static Decision eventually(RedisStore store, Operation operation) {
        long deadline = System.nanoTime() + Duration.ofSeconds(10).toNanos();
        while (true) {
            try {
                return store.bind(KEY.scope(), PLAN).apply(KEY.subject(), operation);
            } catch (StoreException e) {
                if (System.nanoTime() > deadline) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }
}
