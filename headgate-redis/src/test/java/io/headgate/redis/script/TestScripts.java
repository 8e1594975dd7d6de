package io.headgate.redis.script;

import io.headgate.Algorithms;
import io.headgate.redis.connection.RedisConnection;

/** Scripts with other lines in place of those that ask Redis for the time. */
public final class TestScripts {

    public static final int ATTEMPTS = BoundScript.ATTEMPTS;

    private TestScripts() {}

    public static ScriptBinder at(String time, RedisConnection connection, Names names, Algorithms algorithms) {
        return with(new Scripts(LuaAlgorithms.BUILT_IN, time), connection, names, algorithms);
    }

    static ScriptBinder of(RedisConnection connection, Names names, Algorithms algorithms) {
        return with(new Scripts(), connection, names, algorithms);
    }

    static ScriptBinder with(Scripts scripts, RedisConnection connection, Names names, Algorithms algorithms) {
        return new ScriptBinder(
                connection::run,
                names,
                algorithms,
                connection.timeout(),
                () -> System.currentTimeMillis() * 1_000,
                scripts);
    }
}
