package io.headgate.redis;

import io.headgate.Algorithms;
import io.headgate.Store;
import io.headgate.testkit.Clockwork;
import io.headgate.testkit.StoreContract;

import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of every store, on a real Redis whose scripts are told the time. */
class RedisStoreContractTest extends StoreContract {

    private static TestRedis redis;

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    protected Clockwork clockwork() {
        redis.commands().flushall();
        return new RedisTime();
    }

    @Override
    protected Store open(Algorithms algorithms, Clockwork time) {
        Link link = redis.link();
        Backend backend = new ScriptBackend(link, Names.hashed("rl:"), algorithms, new Scripts(TestRedis.TIME));
        return RedisStore.over(link, algorithms, new Coalescer(backend));
    }

    private static final class RedisTime implements Clockwork {

        private long micros = 1_794_780_000_000_000L;

        RedisTime() {
            redis.setTime(micros);
        }

        @Override
        public synchronized long nowMicros() {
            return micros;
        }

        @Override
        public synchronized void advance(Duration by) {
            micros += by.toNanos() / 1_000;
            redis.setTime(micros);
        }

        @Override
        public synchronized void stepBack(Duration by) {
            micros -= by.toNanos() / 1_000;
            redis.setTime(micros);
        }
    }
}
