package io.headgate.redis;

import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A Redis for all tests of a class, empty for each, and a store with the defaults that is patient with a busy machine. */
public abstract class SharedRedis {

    public static RedisServer redis;
    public static RedisStore store;

    @BeforeAll
    public static void startRedis() {
        redis = RedisServer.start();
        store = patient(redis.uri()).build();
    }

    @AfterAll
    public static void closeRedis() {
        store.close();
        redis.close();
    }

    @BeforeEach
    public final void emptyRedis() {
        redis.command("FLUSHALL");
        redis.command("CONFIG", "RESETSTAT");
    }

    public static RedisStoreBuilder patient(String uri) {
        return RedisStore.builder(RedisURI.create(uri)).timeout(Duration.ofSeconds(20));
    }
}
