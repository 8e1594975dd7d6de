package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Algorithm;
import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.TestRedis;
import io.headgate.redis.connection.RedisConnection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A new algorithm is one class, one Lua file and one line that registers both. */
class NewAlgorithmTest {

    private static final Plan PLAN = Plan.of(Limit.parse("3/min").using("once"), Limit.parse("5/min"));

    /** The class: it is never asked, since the file is. */
    private static final class Once implements Algorithm<Object> {

        @Override
        public String id() {
            return "once";
        }

        @Override
        public Object fresh(Limit limit, long nowMicros) {
            return limit; // only asked whether the limit will do
        }

        @Override
        public long waitMicros(Object state, Limit limit, long cost, long nowMicros) {
            throw new AssertionError("computed here");
        }

        @Override
        public Object take(Object state, Limit limit, long cost, long nowMicros) {
            throw new AssertionError("computed here");
        }

        @Override
        public long[] encode(Object state) {
            throw new AssertionError("computed here");
        }

        @Override
        public Object decode(long[] numbers) {
            throw new AssertionError("computed here");
        }
    }

    @Test
    void runsInOneCallOnceItIsRegistered() {
        Algorithm<?> once = new Once();
        Algorithms algorithms = Headgate.algorithms().with(once);
        LuaAlgorithms registered = LuaAlgorithms.BUILT_IN.with(once); // the line
        try (TestRedis redis = TestRedis.start();
                RedisConnection link = redis.link()) {
            ScriptBinder backend = TestScripts.with(
                    new Scripts(registered, Scripts.file("time")), link, Names.readable("rl:"), algorithms);

            BoundScript script = backend.bind(PLAN);
            assertThat(script.isOneCall()).isTrue();
            List<Decision> decisions = script.run(
                            new Key("a", "b"),
                            List.of(Operation.ONE, new Operation.Take(2, 0), Operation.ONE, Operation.RESET),
                            System.nanoTime())
                    .join();

            assertThat(decisions.stream().map(Decision::allowed)).containsExactly(true, true, false, true);
            assertThat(decisions.get(0).limit().algorithm()).isEqualTo("once");
            assertThat(((Decision.Denied) decisions.get(2)).retryAfterMicros()).isEqualTo(60_000_000);
            assertThat(decisions.get(3).remaining()).isEqualTo(3);
        }
    }
}
