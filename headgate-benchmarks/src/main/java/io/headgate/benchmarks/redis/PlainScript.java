package io.headgate.benchmarks.redis;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A simple script as most people would write it, called by its hash over one connection. */
final class PlainScript implements Checker {

    private static final AtomicLong SEQUENCE = new AtomicLong();

    private final StatefulRedisConnection<String, String> connection;
    private final RedisAsyncCommands<String, String> commands;
    private final String sha;
    private final String[] arguments;
    private final boolean unique;

    /** @param unique whether each call passes a unique number as its last argument */
    PlainScript(RedisClient client, String name, boolean unique, String... arguments) {
        this.connection = client.connect();
        this.commands = connection.async();
        this.sha = connection.sync().scriptLoad(read(name));
        this.arguments = arguments.clone();
        this.unique = unique;
    }

    @Override
    public boolean check(String key) {
        String[] keys = {key};
        Object reply = commands.evalsha(sha, ScriptOutputType.MULTI, keys, arguments())
                .toCompletableFuture()
                .join();
        List<?> values = (List<?>) reply;
        return ((Number) values.get(0)).longValue() == 1;
    }

    private String[] arguments() {
        if (!unique) {
            return arguments;
        }
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = Long.toString(SEQUENCE.getAndIncrement());
        return all;
    }

    @Override
    public void close() {
        connection.close();
    }

    private static String read(String name) {
        try (InputStream in = PlainScript.class.getResourceAsStream(name + ".lua")) {
            if (in == null) {
                throw new IllegalStateException("no script of that name: " + name);
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
