package io.headgate.redis.script;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.TestRedis;
import io.headgate.redis.connection.RedisConnection;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

/** A real Redis at its own time, for one class at a time, and one key that is asked for. */
public abstract class StateFixture {

    static final Key KEY = new Key("login", "alice@example.org");

    static TestRedis redis;
    static RedisConnection link;
    static ScriptBinder backend;

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
        link = redis.link();
        backend = TestScripts.of(link, Names.readable("rl:"), Headgate.algorithms());
    }

    @AfterAll
    static void stop() {
        link.close();
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.commands().flushall();
    }

    public static List<String> algorithms() {
        return List.of(
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window-log",
                "sliding-window-counter",
                "sliding-window");
    }

    /** The key of the first limit of that algorithm without a name. */
    static String keyOf(String algorithm) {
        return "{rl:login:alice@example.org}:" + algorithm + ":0";
    }

    static Limit limit(String text, String algorithm) {
        return Limit.parse(text).using(algorithm);
    }

    static Decision run(Plan plan, Operation operation) {
        try {
            return backend.bind(plan)
                    .run(KEY, List.of(operation), System.nanoTime())
                    .join()
                    .get(0);
        } catch (CompletionException e) {
            throw (RuntimeException) e.getCause();
        }
    }
}
