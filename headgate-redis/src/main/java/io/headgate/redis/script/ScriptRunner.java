package io.headgate.redis.script;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Runs a script in Redis. */
@FunctionalInterface
public interface ScriptRunner {

    /**
     * Sends the script. A failure completes the future with a {@link io.headgate.StoreException}.
     *
     * @param sha the digest by which {@code EVALSHA} calls the script
     * @param sinceNanos when the operation was requested, on the clock of {@link System#nanoTime}
     */
    CompletableFuture<List<Object>> run(String text, String sha, byte[][] keys, byte[][] arguments, long sinceNanos);
}
