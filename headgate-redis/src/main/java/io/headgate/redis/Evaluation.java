package io.headgate.redis;

import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.lettuce.core.RedisNoScriptException;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.async.RedisScriptingAsyncCommands;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The result of a script, or of one after another: sent by its digest, and in full if Redis does not know it. Nothing else is sent
 * again from here.
 */
abstract class Evaluation<T> extends CompletableFuture<T>
        implements BiConsumer<byte @Nullable [], @Nullable Throwable> {

    private final Link link;
    private @Nullable Runnable inFull;

    Evaluation(Link link) {
        this.link = link;
    }

    /** What follows from a reply: the result, a failure, or another script. */
    abstract void answered(byte[] reply);

    /** What follows from a failure. */
    void refused(StoreException failure) {
        fail(failure);
    }

    final void send(Script script, byte[][] keys, byte[][] arguments) {
        try {
            RedisScriptingAsyncCommands<byte[], byte[]> commands = link.commands();
            inFull = () -> commands.<byte[]>eval(script.text(), ScriptOutputType.VALUE, keys, arguments)
                    .whenComplete(this);
            commands.<byte[]>evalsha(script.sha(), ScriptOutputType.VALUE, keys, arguments)
                    .whenComplete(this);
        } catch (Throwable e) { // whatever it is, nobody must wait for ever
            fail(e);
        }
    }

    @Override
    public final void accept(byte @Nullable [] reply, @Nullable Throwable failure) {
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
                refused(link.failure(failure));
            }
        } catch (Throwable e) {
            fail(e instanceof StoreException ? e : new StoreException(Reason.OTHER, "a reply that makes no sense", e));
        }
    }

    final void fail(Throwable failure) {
        completeExceptionally(link.failure(failure));
    }

    private static boolean isNoScript(@Nullable Throwable failure) {
        return failure instanceof RedisNoScriptException
                || (failure instanceof CompletionException && failure.getCause() instanceof RedisNoScriptException);
    }
}
