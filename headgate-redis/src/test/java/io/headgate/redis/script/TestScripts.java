package io.headgate.redis.script;

import io.headgate.Algorithms;
import io.headgate.redis.connection.RedisConnection;

/** Scripts with other lines in place of those that ask Redis for the time. */
public final class TestScripts {

    public static final int ATTEMPTS = ScriptBackend.ATTEMPTS;

    private TestScripts() {}

    public static ScriptBackend at(String time, RedisConnection connection, Names names, Algorithms algorithms) {
        return new ScriptBackend(
                connection, names, algorithms, new Scripts(LuaAlgorithms.BUILT_IN, time), Clocks.SYSTEM);
    }
}
