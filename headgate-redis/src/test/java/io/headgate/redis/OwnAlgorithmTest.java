package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.redis.connection.RedisConnection;
import io.headgate.redis.script.Names;
import io.headgate.redis.script.ScriptBinder;
import io.headgate.redis.script.TestScripts;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisURI;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** An algorithm of the user's, which is computed between two calls to a real Redis: it can fail there, and be overtaken. */
class OwnAlgorithmTest extends SharedRedis {

    private static final Key KEY = new Key("login", "alice");
    private static final Algorithm<?> ORIGINAL =
            Renamed.of(Headgate.algorithms().get("fixed-window"));
    private static final Plan PLAN =
            Plan.of(Limit.of(100).per(Duration.ofDays(366)).using(ORIGINAL.id()));

    @Test
    void saysWhichAlgorithmFailedAndGoesOn() throws Exception {
        for (Throwable broken : List.of(new AssertionError("broken"), new IllegalStateException("broken"))) {
            AtomicInteger takes = new AtomicInteger();
            try (RedisStore store = storeWith(() -> {
                if (takes.incrementAndGet() == 1) {
                    OwnAlgorithmTest.<RuntimeException>sneak(broken);
                }
            })) {
                CompletableFuture<Decision> first =
                        store.bind(KEY.scope(), PLAN).applyAsync(KEY.subject(), Operation.ONE);

                assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS))
                        .cause()
                        .isInstanceOf(StoreException.class)
                        .hasMessageContaining("my-fixed-window")
                        .hasCause(broken);
                assertThat(store.bind(KEY.scope(), PLAN)
                                .applyAsync(KEY.subject(), Operation.ONE)
                                .get(10, TimeUnit.SECONDS))
                        .isInstanceOf(Decision.Allowed.class);
            }
        }
    }

    /** They wait in line together, but each is two calls. */
    @Test
    void failsOnlyForWhomItFailed() {
        AtomicInteger takes = new AtomicInteger();
        CountDownLatch computing = new CountDownLatch(1);
        CountDownLatch inLine = new CountDownLatch(1);
        try (RedisStore store = storeWith(() -> {
            int take = takes.incrementAndGet();
            if (take == 1) {
                computing.countDown();
                await(inLine);
            } else if (take == 3) {
                throw new IllegalStateException("broken");
            }
        })) {
            List<CompletableFuture<Decision>> asked = new ArrayList<>();
            asked.add(CompletableFuture.supplyAsync(
                    () -> store.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE)));
            await(computing);
            for (int i = 1; i < 5; i++) {
                asked.add(store.bind(KEY.scope(), PLAN).applyAsync(KEY.subject(), Operation.ONE));
            }
            inLine.countDown();

            List<Boolean> granted = asked.stream()
                    .map(each ->
                            each.handle((decision, failure) -> failure == null).join())
                    .toList();
            assertThat(granted).containsExactly(true, true, false, true, true);
            assertThat(store.bind(KEY.scope(), PLAN)
                            .apply(KEY.subject(), Operation.PEEK)
                            .remaining())
                    .isEqualTo(96);
        }
    }

    @Test
    void givesUpWhenOthersAreFasterAgainAndAgain() {
        AtomicInteger takes = new AtomicInteger();
        try (RedisStore rival = storeWith(() -> {});
                RedisStore slow = storeWith(() -> {
                    takes.incrementAndGet();
                    rival.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE);
                })) {
            assertThatThrownBy(() -> slow.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE))
                    .isInstanceOfSatisfying(
                            StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CONTENTION));
            assertThat(takes).hasValue(TestScripts.ATTEMPTS);
            assertThat(slow.bind(KEY.scope(), PLAN)
                            .apply(KEY.subject(), Operation.PEEK)
                            .remaining())
                    .isEqualTo(100 - TestScripts.ATTEMPTS);
        }
    }

    /** Known bug A1. */
    @Test
    void grantsExactlyAsManyAsThereAreToAllTogether() throws Exception {
        AtomicInteger granted = new AtomicInteger();
        try (RedisStore one = storeWith(() -> {});
                RedisStore other = storeWith(() -> {});
                Load load = Load.of(8, 30, number -> {
                    Decision decision = (number % 2 == 0 ? one : other)
                            .bind(KEY.scope(), PLAN)
                            .apply(KEY.subject(), Operation.ONE);
                    if (decision.allowed()) {
                        granted.incrementAndGet();
                    }
                    return decision;
                })) {
            load.finish();

            assertThat(load.failed()).as(load.toString()).isZero();
            assertThat(granted).hasValue(100);
        }
    }

    /** A node that moves the key rejects it for a while: that is no race, and races are counted all the same. */
    @Test
    void isNotOvertakenByAKeyThatMoves() {
        assertThat(afterRejections(1).remaining()).isEqualTo(98);
    }

    @Test
    void givesUpAfterAKeyHasMovedToo() {
        assertThatThrownBy(() -> afterRejections(2 * TestScripts.ATTEMPTS))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.CONTENTION));
        try (RedisStore other = storeWith(() -> {})) {
            assertThat(other.bind(KEY.scope(), PLAN)
                            .apply(KEY.subject(), Operation.PEEK)
                            .remaining())
                    .isEqualTo(100 - TestScripts.ATTEMPTS);
        }
    }

    /** The answer of a node that rejects as often as others may be faster, and is then overtaken so often. */
    private static Decision afterRejections(int races) {
        String rejecting = """
                if redis.call('INCR', 'rejected') <= %d then
                  return redis.error_reply('TRYAGAIN the key moves')
                end
                local now, margin = redis.call('TIME')[1] * 1000000, 1001
                """.formatted(TestScripts.ATTEMPTS);
        AtomicInteger left = new AtomicInteger(races);
        try (RedisStore rival = storeWith(() -> {});
                RedisConnection link = RedisConnection.to(
                                RedisURI.create(redis.uri()), null, ClientOptions.create(), Duration.ofSeconds(20))
                        .open(TestRedis::rethrow)) {
            Algorithm<?> slow = beforeTaking(() -> {
                if (left.getAndDecrement() > 0) {
                    rival.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE);
                }
            });
            Algorithms algorithms = Headgate.algorithms().with(slow);
            Names names = Names.hashed(Names.DEFAULT_PREFIX);
            ScriptBinder moving = TestScripts.at(rejecting, link, names, algorithms);
            return new RedisStore(link, algorithms, names, moving, null, null, null)
                    .bind(KEY.scope(), PLAN)
                    .apply(KEY.subject(), Operation.ONE);
        }
    }

    private static RedisStore storeWith(Runnable hook) {
        return patient(redis.uri()).algorithm(beforeTaking(hook)).build();
    }

    private static Algorithm<?> beforeTaking(Runnable hook) {
        return (Algorithm<?>) Proxy.newProxyInstance(
                OwnAlgorithmTest.class.getClassLoader(),
                new Class<?>[] {Algorithm.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("take")) {
                        hook.run();
                    }
                    return method.invoke(ORIGINAL, arguments);
                });
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void sneak(Throwable thrown) throws T {
        throw (T) thrown;
    }
}
