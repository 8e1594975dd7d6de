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
 * <p>A decision reads the monotonic clock once. Every {@link #CHECK_NANOS} the wall clock is read as well. If the wall clock is
 * ahead (it was set, or the machine slept), this time jumps forward to it at once, since windows must end at their wall-clock
 * time. If it is behind, this time does not go back: it runs a tenth slower until the wall clock has caught up, so that no wait
 * and no refill is ever more than a tenth off. A difference up to {@link #TOLERANCE_MICROS} is ignored, and so is one that was
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
     * A moment on both clocks, from which the time is computed until the next check is due.
     *
     * <p>Anchors are why time never goes back. Every time computed from an anchor is at most that anchor's time at the moment of
     * the check that replaces it, and every time computed from its successor is at least that. This holds even for a thread that
     * read the monotonic clock before the check and sees the new anchor after it.
     *
     * @param excess how many microseconds this time was ahead of the wall clock at that moment, to be lost by running slower
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

        /** The same course of time, anchored at a later moment. */
        Anchor onwards(long now) {
            long elapsed = elapsed(now);
            long then = nanos + elapsed * 1_000; // a whole number of microseconds later, so no fraction is lost
            return new Anchor(then, at(now), excess - lost(elapsed));
        }

        /** This anchor, corrected if it differs from the wall clock: it jumps forward if it is behind, and runs slower if it is ahead. */
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

    /** Needs no timer: the waiting thread reads the clock itself. */
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
                break; // the future is done, or the time is over
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
