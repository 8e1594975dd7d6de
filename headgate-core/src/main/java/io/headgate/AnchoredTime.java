package io.headgate;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Instant;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/**
 * The monotonic clock, anchored to wall time.
 *
 * <p>A decision reads the monotonic clock once. Every {@link #CHECK_NANOS} the wall clock is read as well: if it is ahead
 * (it was set, or the machine slept), time jumps forward with it at once, since windows must end when the world says so. If
 * it is behind, time never goes back; it runs a tenth slower until the wall clock has caught up, so that no wait and no
 * refill is ever more than a tenth off. A difference below {@link #TOLERANCE_MICROS} is left alone, and so is one that was
 * measured across a pause of this thread.
 */
final class AnchoredTime implements TimeSource {

    private static final VarHandle ANCHOR;

    static {
        try {
            ANCHOR = MethodHandles.lookup().findVarHandle(AnchoredTime.class, "anchor", Anchor.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    static final TimeSource SYSTEM = new AnchoredTime(System::nanoTime, AnchoredTime::wallMicros);

    static final long CHECK_NANOS = 10_000_000;
    static final long TOLERANCE_MICROS = 1_000;
    static final int SLEW = 10;

    private final LongSupplier nanos;
    private final LongSupplier wall;
    private volatile Anchor anchor;

    /**
     * A moment on both clocks, from which time is told until the next check is due.
     *
     * <p>That is why time never goes back. Whatever an anchor tells is at most what it says of the moment of the check that
     * replaces it, and its successor tells no less than that: not even to a thread that read the monotonic clock before the
     * check and meets the new anchor after it.
     *
     * @param excess how many microseconds time was ahead of the wall clock then, to be lost by running slower
     */
    private record Anchor(long nanos, long micros, long excess) {

        boolean isDue(long now) {
            return now - nanos >= CHECK_NANOS;
        }

        long at(long now) {
            long elapsed = elapsed(now);
            return micros + elapsed - lost(elapsed);
        }

        private long elapsed(long now) {
            return Math.max(0, now - nanos) / 1_000;
        }

        private long lost(long elapsed) {
            return excess == 0 ? 0 : Math.min(excess, elapsed / SLEW);
        }

        /** The same line from a later point. */
        Anchor onwards(long now) {
            long elapsed = elapsed(now);
            long then = nanos + elapsed * 1_000; // a whole number of microseconds on: no fraction is lost
            return new Anchor(then, at(now), excess - lost(elapsed));
        }

        /** The same point, and a line from there that meets the wall clock if it is off. */
        Anchor towards(long wallMicros) {
            long ahead = micros - wallMicros;
            if (ahead < -TOLERANCE_MICROS) {
                return new Anchor(nanos, wallMicros, 0);
            }
            return ahead > TOLERANCE_MICROS ? new Anchor(nanos, micros, ahead) : this;
        }
    }

    AnchoredTime(LongSupplier nanos, LongSupplier wall) {
        this.nanos = nanos;
        this.wall = wall;
        this.anchor = new Anchor(nanos.getAsLong(), wall.getAsLong(), 0);
    }

    @Override
    public long nowMicros() {
        long now = nanos.getAsLong();
        Anchor current = anchor;
        return current.isDue(now) ? check(now) : current.at(now);
    }

    /** Sets no alarm: the thread that waits looks at the clock itself. */
    @Override
    public boolean await(CompletableFuture<?> future, long micros) {
        long start = nanos.getAsLong();
        long most = TimeUnit.MICROSECONDS.toNanos(micros);
        boolean interrupted = false;
        for (long left = most; left > 0 && !future.isDone(); left = most - (nanos.getAsLong() - start)) {
            try {
                future.get(left, TimeUnit.NANOSECONDS);
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException | CancellationException | TimeoutException e) {
                break; // the future knows which
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return future.isDone();
    }

    private long check(long due) {
        long now = due;
        Anchor current = anchor;
        while (current.isDue(now)) {
            long wallMicros = wall.getAsLong();
            long after = nanos.getAsLong();
            boolean paused = after - now >= TOLERANCE_MICROS * 1_000 / 2;
            Anchor next = current.onwards(now);
            ANCHOR.compareAndSet(this, current, paused ? next : next.towards(wallMicros));
            now = after;
            current = anchor;
        }
        return current.at(now);
    }

    private static long wallMicros() {
        Instant now = Instant.now();
        return now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    }
}
