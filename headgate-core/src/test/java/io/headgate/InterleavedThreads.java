package io.headgate;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/**
 * Threads that take turns: one runs at a time, and wherever the code under test calls {@link #pass} another may go on. So a race
 * is no matter of luck, and the seed that found it finds it again.
 */
public final class InterleavedThreads {

    private final Random random;
    private final List<Player> players = new ArrayList<>();
    private @Nullable Player playing;
    private @Nullable Throwable failure;

    private final class Player {

        final Semaphore turn = new Semaphore(0);
        final Thread thread;

        Player(Runnable action) {
            thread = new Thread(() -> play(action), "player");
        }

        private void play(Runnable action) {
            turn.acquireUninterruptibly();
            try {
                action.run();
            } catch (Throwable e) {
                failure = failure == null ? e : failure;
            }
            players.remove(this);
            playing = null;
            hand(any());
        }
    }

    public InterleavedThreads(Random random) {
        this.random = random;
    }

    /** Runs them all to their ends. */
    public void run(Runnable... actions) {
        for (Runnable action : actions) {
            players.add(new Player(action));
        }
        List<Player> all = List.copyOf(players);
        all.forEach(player -> player.thread.start());
        hand(any());
        for (Player player : all) {
            join(player.thread);
        }
        if (failure != null) {
            throw new AssertionError(failure);
        }
    }

    /** Lets another thread go on, perhaps; does nothing outside of {@link #run}. */
    public void pass() {
        Player current = playing;
        if (current == null || current.thread != Thread.currentThread() || random.nextBoolean()) {
            return;
        }
        Player next = any();
        if (next != current) {
            hand(next);
            current.turn.acquireUninterruptibly();
        }
    }

    private @Nullable Player any() {
        return players.isEmpty() ? null : players.get(random.nextInt(players.size()));
    }

    private void hand(@Nullable Player next) {
        if (next != null) {
            playing = next;
            next.turn.release();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join(60_000);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        if (thread.isAlive()) {
            throw new AssertionError("stuck at " + List.of(thread.getStackTrace()));
        }
    }
}
