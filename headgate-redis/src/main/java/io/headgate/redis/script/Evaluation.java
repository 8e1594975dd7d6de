package io.headgate.redis.script;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.redis.connection.RedisConnection;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The future result of one script, or of several in sequence. A script is sent by its digest, and in full if Redis does not know it.
 * This class repeats nothing else.
 */
abstract class Evaluation<T> extends CompletableFuture<T>
        implements BiConsumer<@Nullable List<Object>, @Nullable Throwable> {

    private final RedisConnection connection;
    private @Nullable Runnable inFull;

    Evaluation(RedisConnection connection) {
        this.connection = connection;
    }

    /** Handles a reply: completes with the result or a failure, or sends another script. */
    abstract void answered(List<Object> reply);

    /** Handles a failure. */
    void failed(StoreException failure) {
        fail(failure);
    }

    final void send(Script script, byte[][] keys, byte[][] arguments) {
        try {
            RedisScriptingAsyncCommands<byte[], byte[]> commands = connection.commands();
            inFull = () -> commands.<List<Object>>eval(script.text(), ScriptOutputType.MULTI, keys, arguments)
                    .whenComplete(this);
            commands.<List<Object>>evalsha(script.sha(), ScriptOutputType.MULTI, keys, arguments)
                    .whenComplete(this);
        } catch (Throwable e) { // whatever it is, no caller must wait forever
            fail(e);
        }
    }

    @Override
    public final void accept(@Nullable List<Object> reply, @Nullable Throwable failure) {
        Runnable again = inFull;
        try {
            if (reply != null) {
                answered(reply);
            } else if (again != null && isNoScript(failure)) {
                inFull = null;
                again.run();
            } else if (failure == null) {
                fail(new StoreException(Reason.OTHER, "Redis gave no reply to a script"));
            } else {
                failed(connection.failure(failure));
            }
        } catch (Throwable e) {
            fail(
                    e instanceof StoreException
                            ? e
                            : new StoreException(Reason.OTHER, "the reply of a script could not be read: " + e, e));
        }
    }

    final void fail(Throwable failure) {
        completeExceptionally(connection.failure(failure));
    }

    private static boolean isNoScript(@Nullable Throwable failure) {
        return failure instanceof RedisNoScriptException
                || (failure instanceof CompletionException && failure.getCause() instanceof RedisNoScriptException);
    }
}
