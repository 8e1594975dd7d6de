package io.headgate;

import java.util.Set;

/** Time that lets another thread go on whenever it is read, unless a lock is held that the other could wait for. */
public final class InterleavingTime extends TestTime {

    private static final Set<String> LOCKING = Set.of("io.headgate.memory.KeyTable", "io.headgate.memory.LockedCell");

    private final InterleavedThreads turns;

    public InterleavingTime(String start, InterleavedThreads turns) {
        super(start);
        this.turns = turns;
    }

    @Override
    public long nowMicros() {
        if (!locked()) {
            turns.pass();
        }
        return super.nowMicros();
    }

    private static boolean locked() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> LOCKING.contains(frame.getClassName())));
    }
}
