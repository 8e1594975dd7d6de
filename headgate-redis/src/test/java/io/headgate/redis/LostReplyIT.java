package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.rig.FaultProxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A script whose reply is lost is not sent again: it has charged once. Known bug A9.
 */
class LostReplyIT extends SharedRedis {

    private static final Key KEY = new Key("login", "alice");
    private static final Plan PLAN = Plan.parse("10000 per 366d");

    private FaultProxy proxy;
    private RedisStore far;

    @BeforeEach
    void connect() {
        proxy = FaultProxy.to(redis);
        far = patient("redis://127.0.0.1:" + proxy.port()).build();
        far.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.PEEK); // so that Redis knows the script
    }

    @AfterEach
    void disconnect() {
        far.close();
        proxy.close();
    }

    private static long spent() {
        return 10_000
                - store.bind(KEY.scope(), PLAN)
                        .apply(KEY.subject(), Operation.PEEK)
                        .remaining();
    }

    /** Asks until there is a connection again, with something that changes nothing. */
    private void awaitConnection() {
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (true) {
            try {
                far.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.PEEK);
                return;
            } catch (StoreException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void chargesOnceWhenTheReplyIsLost() {
        for (int i = 1; i <= 10; i++) {
            proxy.loseReplyTo("EVALSHA");
            assertThatThrownBy(() -> far.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE))
                    .isInstanceOf(StoreException.class);
            assertThat(proxy.lost()).isEqualTo(i);
            awaitConnection();
            assertThat(spent()).isEqualTo(i);
        }
    }

    /** The script goes in full because Redis has forgotten it, and that reply is lost. */
    @Test
    void chargesOnceWhenTheReplyToTheWholeScriptIsLost() {
        redis.command("SCRIPT", "FLUSH");
        proxy.loseReplyTo("EVAL\r\n");
        assertThatThrownBy(() -> far.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE))
                .isInstanceOf(StoreException.class);
        awaitConnection();
        assertThat(spent()).isOne();
    }

    /** Those that travelled together are each charged once and each told that it failed. */
    @Test
    void chargesABatchOnceWhenItsReplyIsLost() {
        proxy.delay(Duration.ofMillis(100)); // so that the others are in line before the first has landed
        proxy.loseReplyTo("take\r\n$1\r\n7\r\n");
        CompletableFuture<Decision> first = far.bind(KEY.scope(), PLAN).applyAsync(KEY.subject(), Operation.ONE);
        List<CompletableFuture<Decision>> batch = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            batch.add(far.bind(KEY.scope(), PLAN).applyAsync(KEY.subject(), new Operation.Take(7, 0)));
        }
        assertThat(first.join().allowed()).isTrue();
        for (CompletableFuture<Decision> each : batch) {
            assertThatThrownBy(each::join).hasCauseInstanceOf(StoreException.class);
        }
        proxy.pass();
        awaitConnection();
        assertThat(spent()).isEqualTo(1 + 20 * 7);
    }

    /** A request that never reached Redis is not sent later. */
    @Test
    void chargesNothingWhileDisconnected() {
        proxy.refuse();
        for (int i = 0; i < 20; i++) {
            assertThatThrownBy(() -> far.bind(KEY.scope(), PLAN).apply(KEY.subject(), Operation.ONE))
                    .isInstanceOf(StoreException.class);
        }
        proxy.pass();
        awaitConnection();
        assertThat(spent()).isZero();
    }

    /**
     * Connections are cut at any byte of any reply, under load: what was granted was charged, and nothing was charged but what
     * was granted or failed.
     */
    @Test
    void chargesNothingTwiceWhateverIsCut() throws Exception {
        AtomicInteger cuts = new AtomicInteger();
        int wanted = Boolean.getBoolean("headgate.proof") ? 300 : 20;
        try (Load load = Load.until(8, () -> cuts.get() >= wanted, number -> {
            Decision decision = far.bind("login", PLAN).apply("k" + number, Operation.ONE);
            if (decision.remaining() % 20 == 19) {
                proxy.cutAfterReplyBytes(number * 7L);
                cuts.incrementAndGet();
            }
            return decision;
        })) {
            load.finish();
            long charged = 0;
            for (int i = 0; i < 8; i++) {
                charged += 10_000
                        - store.bind("login", PLAN)
                                .apply("k" + i, Operation.PEEK)
                                .remaining();
            }
            assertThat(load.failed()).as(load.toString()).isPositive();
            assertThat(charged).isBetween(load.granted(), load.granted() + load.failed());
        }
    }
}
