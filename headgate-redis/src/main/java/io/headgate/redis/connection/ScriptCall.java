package io.headgate.redis.connection;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * One call of a script: sent by its digest, and in full if Redis does not know it.
 *
 * <p>It is repeated only if a node of a cluster has rejected it, which therefore had no effect, because at present the node has only some
 * of the keys while they move to another one; and not once the timeout has passed since the operation was requested.
 */
final class ScriptCall extends CompletableFuture<List<Object>>
        implements BiConsumer<@Nullable List<Object>, @Nullable Throwable> {

    private static final long LONGEST_PAUSE_NANOS = 20_000_000;

    private final RedisConnection connection;
    private final String text;
    private final String sha;
    private final byte[][] keys;
    private final byte[][] arguments;
    private final long sinceNanos;
    private boolean inFull;
    private int rejections;

    ScriptCall(
            RedisConnection connection, String text, String sha, byte[][] keys, byte[][] arguments, long sinceNanos) {
        this.connection = connection;
        this.text = text;
        this.sha = sha;
        this.keys = keys;
        this.arguments = arguments;
        this.sinceNanos = sinceNanos;
    }

    void send() {
        try {
            RedisScriptingAsyncCommands<byte[], byte[]> commands = connection.commands();
            (inFull
                            ? commands.<List<Object>>eval(text, ScriptOutputType.MULTI, keys, arguments)
                            : commands.<List<Object>>evalsha(sha, ScriptOutputType.MULTI, keys, arguments))
                    .whenComplete(this);
        } catch (Throwable e) { // whatever it is, no caller must wait forever
            completeExceptionally(connection.failure(e));
        }
    }

    @Override
    public void accept(@Nullable List<Object> reply, @Nullable Throwable failure) {
        if (reply != null) {
            complete(reply);
        } else if (failure == null) {
            completeExceptionally(new StoreException(Reason.OTHER, "Redis gave no reply to a script"));
        } else if (!inFull && isNoScript(failure)) {
            inFull = true;
            send();
        } else {
            failed(connection.failure(failure));
        }
    }

    private void failed(StoreException failure) {
        boolean isLate = System.nanoTime() - sinceNanos > connection.timeout().toNanos();
        if (!isLate && Failures.isMoving(failure)) {
            inFull = false;
            long most = Math.min(LONGEST_PAUSE_NANOS, 500_000L * ++rejections);
            CompletableFuture.delayedExecutor( // not a timer of the connection, which ends with it
                            ThreadLocalRandom.current().nextLong(most + 1), TimeUnit.NANOSECONDS)
                    .execute(this::send);
        } else {
            completeExceptionally(failure);
        }
    }

    private static boolean isNoScript(Throwable failure) {
        return failure instanceof RedisNoScriptException
                || (failure instanceof CompletionException && failure.getCause() instanceof RedisNoScriptException);
    }
}
