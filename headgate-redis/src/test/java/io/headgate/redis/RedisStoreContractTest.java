package io.headgate.redis;

import io.headgate.Algorithms;
import io.headgate.Store;
import io.headgate.redis.connection.RedisConnection;
import io.headgate.redis.pipeline.Coalescer;
import io.headgate.redis.script.Names;
import io.headgate.redis.script.ScriptBinder;
import io.headgate.redis.script.TestScripts;
import io.headgate.testkit.StoreClock;
import io.headgate.testkit.StoreContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The contract of every store, on a real Redis whose scripts are told the time. Known bugs O3, O5. */
class RedisStoreContractTest extends StoreContract {

    private static TestRedis redis;

    private final PendingAnswers underWay = new PendingAnswers();

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
    }

    @AfterAll
    static void stop() {
        redis.close();
    }

    @Override
    protected StoreClock clock() {
        redis.commands().flushall();
        return new RedisTime(redis, underWay);
    }

    @Override
    protected Store open(Algorithms algorithms, StoreClock time) {
        RedisConnection connection = redis.link();
        Names names = Names.hashed("rl:");
        ScriptBinder backend = TestScripts.at(TestRedis.TIME, connection, names, algorithms);
        Coalescer coalescer = new Coalescer(System::nanoTime, Duration.ofHours(1));
        return underWay.count(new RedisStore(connection, algorithms, names, backend, coalescer, null, null));
    }
}
