package io.headgate.rig;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Polls servers until a condition holds. */
final class Patience {

    private static final int STEP_MILLIS = 5;

    private Patience() {}

    /** A condition of a server. A failure to reach the server or an error reply counts as "not yet". */
    interface Look {
        boolean there() throws IOException;
    }

    /** Checks the condition until it holds; after the time limit, throws an exception that names it. */
    static void until(Duration atMost, String what, Look look) {
        long deadline = System.nanoTime() + atMost.toNanos();
        Throwable last = null;
        while (System.nanoTime() - deadline < 0) {
            try {
                if (look.there()) {
                    return;
                }
                last = null;
            } catch (IOException | UncheckedIOException | Resp.RedisError e) {
                last = e;
            }
            pause();
        }
        throw failure("not within " + atMost + ": " + what, last);
    }

    static void pause() {
        try {
            TimeUnit.MILLISECONDS.sleep(STEP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw failure("interrupted", e);
        }
    }

    private static IllegalStateException failure(String message, @Nullable Throwable cause) {
        return new IllegalStateException(cause == null ? message : message + " (" + cause.getMessage() + ")", cause);
    }
}
