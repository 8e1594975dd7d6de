package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.redis.TestRedis.Kept;
import io.lettuce.core.AclSetuserArgs;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.protocol.CommandType;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What happens when the state that is kept in a real Redis is not ours. */
class UnreadableStateTest extends StateFixture {

    /** Known bug R6: an unknown version or a stranger's value is an error and stays as it is; only a reset replaces it. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void rejectsAStateItCannotRead(String algorithm) {
        Plan plan = Plan.of(limit("5/day", algorithm));
        String key = keyOf(algorithm);
        for (Runnable stranger : List.<Runnable>of(
                () -> redis.commands().set(key, "t2" + "x".repeat(60)),
                () -> redis.commands().set(key, ""),
                () -> redis.commands().set(key, "42"),
                () -> redis.commands().hset(key, "v", "f2"),
                () -> redis.commands().hset(key, "w", "f2"),
                () -> redis.commands().hset(key, Map.of("w", "f2" + "x".repeat(11), "n", "1")),
                () -> redis.commands().hset(key, "n", "1"),
                () -> redis.commands().zadd(key, 1, "x"),
                () -> redis.commands().rpush(key, "x"),
                () -> redis.commands().zadd(key, -1, "s8" + "x".repeat(25)),
                () -> redis.commands().zadd(key, -60_000_000, "s6:16:1:0:0"))) {
            redis.commands().flushall();
            stranger.run();
            assertUnreadable(plan);
        }
    }

    /** The same of a state of the right form whose numbers nobody can have written. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "token-bucket | redis.call('SET', KEYS[1], 't1' .. string.rep('\\255', 33))",
                "token-bucket | redis.call('SET', KEYS[1], 't1' .. string.rep('\\0', 33))",
                "token-bucket | redis.call('SET', KEYS[1], 't1' .. string.rep('\\1', 33) .. struct.pack('>I4I4I4', 1, 9, 8))",
                "leaky-bucket | redis.call('SET', KEYS[1], 'l1' .. string.rep('\\255', 33))",
                "fixed-window | redis.call('HSET', KEYS[1], 'w', 'f1' .. string.rep('\\255', 11), 'n', '-3')",
                "fixed-window | redis.call('HSET', KEYS[1], 'w', 'f1' .. string.rep('\\255', 11), 'n', '2147483648')",
                "fixed-window | redis.call('HSET', KEYS[1], 'w', 'f1' .. string.rep('\\255', 11), 'n', '1e0')",
                "fixed-window | redis.call('HSET', KEYS[1], 'w', 'f1' .. string.rep('\\255', 11), 'n', ' 1')",
                "fixed-window | redis.call('HSET', KEYS[1], 'w', 'f1' .. string.rep('\\255', 11), 'n', '')",
                "sliding-window-log | redis.call('ZADD', KEYS[1], -1, 's7' .. struct.pack('>I6I4I4I4I7', 60000000, 16, 1, 0, 0))",
                "sliding-window-log | redis.call('ZADD', KEYS[1], -1, 's7' .. struct.pack('>I6I4I4I4I7', 60000000, 16, 1, 0, 0), 5, 'x')",
                "sliding-window-log | redis.call('ZADD', KEYS[1], -1, 's7' .. struct.pack('>I6I4I4I4I7', 0, 16, 1, 0, 0), 1, struct.pack('>I7I4', 1, 0))",
                "sliding-window-counter | redis.call('SET', KEYS[1], 'c1' .. string.rep('\\255', 25))",
                "sliding-window | redis.call('SET', KEYS[1], 'p1' .. string.rep('\\255', 60))"
            })
    void rejectsNumbersThatNobodyWrites(String algorithm, String script) {
        Plan plan = Plan.of(limit("5/day", algorithm));
        redis.commands().eval(script, ScriptOutputType.VALUE, new String[] {keyOf(algorithm)});
        assertUnreadable(plan);
    }

    private static void assertUnreadable(Plan plan) {
        Map<String, Kept> before = redis.look();

        assertThatThrownBy(() -> run(plan, Operation.ONE))
                .isInstanceOfSatisfying(
                        StoreException.class, e -> assertThat(e.reason()).isEqualTo(Reason.UNREADABLE));
        assertThat(redis.look().keySet()).isEqualTo(before.keySet());
        redis.look()
                .forEach((key, kept) ->
                        assertThat(kept.value()).isEqualTo(before.get(key).value()));
        assertThat(run(plan, Operation.RESET).remaining()).isEqualTo(5);
    }

    /** A read that fails, here for want of permission, is not taken for a key that is not there. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void rejectsWhatItMayNotRead(String algorithm) {
        List<CommandType> reads = List.of(CommandType.GET, CommandType.HMGET, CommandType.ZRANGE);
        AclSetuserArgs without = new AclSetuserArgs();
        AclSetuserArgs with = new AclSetuserArgs();
        reads.forEach(read -> {
            without.removeCommand(read);
            with.addCommand(read);
        });
        redis.commands().aclSetuser("default", without);
        try {
            assertThatThrownBy(() -> run(Plan.of(limit("5/day", algorithm)), Operation.ONE))
                    .isInstanceOf(StoreException.class);
        } finally {
            redis.commands().aclSetuser("default", with);
        }
        assertThat(redis.look()).isEmpty();
    }

    /** What an earlier build kept is neither read nor taken for nothing. */
    @Test
    void rejectsALogOfAnEarlierForm() {
        Plan plan = Plan.of(limit("5/day", "sliding-window-log"));
        redis.commands().rpush(keyOf("sliding-window-log"), "s5" + "x".repeat(27));
        assertUnreadable(plan);
        assertThat(run(plan, Operation.ONE).remaining()).isEqualTo(4);
        assertThat(redis.commands().type(keyOf("sliding-window-log"))).isEqualTo("zset");
    }

    /** It was ours, but what is before the permits is not. */
    @Test
    void rejectsALogThatSomebodyElseWroteInto() {
        Plan plan = Plan.of(limit("5/day", "sliding-window-log"));
        run(plan, Operation.ONE);
        redis.commands().zadd(keyOf("sliding-window-log"), Double.NEGATIVE_INFINITY, "foo");
        assertUnreadable(plan);
    }
}
