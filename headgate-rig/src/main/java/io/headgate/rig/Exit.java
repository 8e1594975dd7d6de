package io.headgate.rig;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Cleans up at the end of the process what nobody has closed: first everything that runs, then the folders. */
final class Exit {

    private static final Set<AutoCloseable> OPEN = ConcurrentHashMap.newKeySet();
    private static final Set<Runnable> LAST = ConcurrentHashMap.newKeySet();

    static {
        Runtime.getRuntime().addShutdownHook(new Thread(Exit::run, "headgate-rig-exit"));
    }

    private Exit() {}

    /** Closes the object at the end of the process unless it is {@linkplain #forget forgotten} before. */
    static void closes(AutoCloseable running) {
        OPEN.add(running);
    }

    static void forget(AutoCloseable closed) {
        OPEN.remove(closed);
    }

    static void last(Runnable action) {
        LAST.add(action);
    }

    private static void run() {
        for (AutoCloseable each : OPEN) {
            try {
                each.close();
            } catch (Exception e) {
                System.err.println("could not close " + each + ": " + e);
            }
        }
        LAST.forEach(Runnable::run);
    }
}
