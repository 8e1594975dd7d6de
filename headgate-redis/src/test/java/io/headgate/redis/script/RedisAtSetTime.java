package io.headgate.redis.script;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.Reference;
import io.headgate.redis.TestRedis;
import io.headgate.redis.TestRedis.Kept;
import io.headgate.redis.connection.RedisConnection;
import io.lettuce.core.ScriptOutputType;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * One database of a test's Redis, whose scripts are setMicros the time. Everything goes over one connection, in the order it is asked; but two
 * processes take turns to ask, none of which knows what the other does.
 */
final class RedisAtSetTime implements AutoCloseable {

    private static final byte[][] NO_KEYS = {};

    private final RedisConnection link;
    private final List<ScriptBinder> processes;
    private int calls;
    private long setMicros = -1;

    RedisAtSetTime(TestRedis redis, int database) {
        this.link = redis.link(database);
        this.processes = List.of(process(), process());
    }

    private ScriptBinder process() {
        return TestScripts.at(TestRedis.TIME, link, Names.readable("rl:"), Reference.ALGORITHMS);
    }

    /** Applies the operations at that time. */
    List<Decision> run(long nowMicros, Key key, Plan plan, List<Operation> operations) {
        if (nowMicros != setMicros) {
            byte[] time = Long.toString(nowMicros).getBytes(ISO_8859_1);
            link.commands().eval("redis.call('SET', 'now', ARGV[1])", ScriptOutputType.STATUS, NO_KEYS, time);
            setMicros = nowMicros;
        }
        ScriptBinder whoseTurnItIs = processes.get(Integer.bitCount(calls++) % 2); // not always the other's
        return whoseTurnItIs.bind(plan).run(key, operations, System.nanoTime()).join();
    }

    /** Everything there is, by its key, but for the time. */
    Map<String, Kept> look() {
        List<byte[]> found = link.commands()
                .<List<byte[]>>eval(TestRedis.LOOK, ScriptOutputType.MULTI, NO_KEYS)
                .toCompletableFuture()
                .join();
        Map<String, Kept> kept = new TreeMap<>();
        for (int i = 0; i < found.size(); i += 3) {
            long ttl = Long.parseLong(new String(found.get(i + 2), ISO_8859_1));
            kept.put(new String(found.get(i), ISO_8859_1), new Kept(new String(found.get(i + 1), ISO_8859_1), ttl));
        }
        return kept;
    }

    void clear() {
        link.commands().eval("redis.call('FLUSHDB')", ScriptOutputType.STATUS, NO_KEYS);
        setMicros = -1;
        calls = 0;
    }

    @Override
    public void close() {
        link.close();
    }
}
