package io.headgate.redis;

import io.headgate.StoreException;
import io.headgate.redis.connection.RedisConnection;
import io.headgate.rig.RedisServer;
import io.lettuce.core.ClientOptions;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.sync.RedisCommands;
import io.lettuce.core.codec.StringCodec;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A Redis for a test class, and a look at what is in it. */
public final class TestRedis implements AutoCloseable {

    /** In place of the lines that ask Redis for the time; keys outlast the test, which stops the time as it likes. */
    public static final String TIME = "local now, margin = redis.call('GET', 'now') + 0, 3600000";

    /** For every key but the time its name, the digest of its bytes and its TTL. */
    public static final String LOOK = """
            local found = {}
            for _, key in ipairs(redis.call('KEYS', '*')) do
              if key ~= 'now' then
                found[#found + 1] = key
                found[#found + 1] = redis.sha1hex(redis.call('DUMP', key))
                found[#found + 1] = tostring(redis.call('PTTL', key))
              end
            end
            return found
            """;

    private final RedisServer server;
    private final RedisClient client;
    private final StatefulRedisConnection<String, String> connection;

    private TestRedis(RedisServer server) {
        this.server = server;
        this.client = RedisClient.create(server.uri());
        this.connection = client.connect(new StringCodec(StandardCharsets.ISO_8859_1));
    }

    public static TestRedis start() {
        return new TestRedis(RedisServer.start());
    }

    public RedisServer server() {
        return server;
    }

    public RedisCommands<String, String> commands() {
        return connection.sync();
    }

    public RedisConnection link() {
        return link(0);
    }

    public RedisConnection link(int database) {
        RedisURI uri = RedisURI.create(server.uri());
        uri.setDatabase(database);
        return RedisConnection.to(uri, null, ClientOptions.create(), Duration.ofSeconds(5))
                .open(TestRedis::rethrow);
    }

    /** What scripts with {@link #TIME} take for the time. */
    public void setTime(long micros) {
        commands().set("now", Long.toString(micros));
    }

    /**
     * What is kept under a key.
     *
     * @param value the digest of its bytes
     * @param ttlMillis -1 for ever
     */
    public record Kept(String value, long ttlMillis) {}

    /** Everything there is, by its key, but for the time. */
    public Map<String, Kept> look() {
        List<String> found = commands().eval(LOOK, ScriptOutputType.MULTI);
        Map<String, Kept> kept = new TreeMap<>();
        for (int i = 0; i < found.size(); i += 3) {
            kept.put(found.get(i), new Kept(found.get(i + 1), Long.parseLong(found.get(i + 2))));
        }
        return kept;
    }

    @Override
    public void close() {
        client.shutdown(Duration.ZERO, Duration.ofSeconds(1));
        server.close();
    }

    /** For connections that a test cannot do without. */
    public static void rethrow(StoreException failure) {
        throw failure;
    }
}
