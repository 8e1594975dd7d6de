package io.headgate.benchmarks.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;

/** A script that does nothing: the cost of a round trip. */
final class Nothing implements Checker {

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private final String sha;
    private final boolean allows;

    Nothing(RedisClient client, boolean allows) {
        this.allows = allows;
        this.connection = client.connect();
        this.commands = connection.async();
        this.sha = connection.sync().scriptLoad("return 1");
    }

    @Override
    public boolean check(String key) {
        String[] keys = {key};
        Long one = commands.<Long>evalsha(sha, ScriptOutputType.INTEGER, keys)
                .toCompletableFuture()
                .join();
        return one == 1 && allows;
    }

    @Override
    public void close() {
        connection.close();
    }
}
