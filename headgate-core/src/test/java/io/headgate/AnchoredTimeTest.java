package io.headgate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AnchoredTimeTest {

    private static final long START = TestTime.micros(Instant.parse("2026-03-01T00:00:00Z"));

    /** The two clocks of a machine. Reading one can take long enough for anything to happen meanwhile. */
    private static class Clocks {

        long nanos = -1_000_000_007; // as good as any, and it crosses zero
        long wallAheadMicros;
        private final long startNanos = nanos;

        long nanoTime() {
            return nanos;
        }

        long wallMicros() {
            return START + (nanos - startNanos) / 1_000 + wallAheadMicros;
        }

        AnchoredTime time() {
            return new AnchoredTime(this::nanoTime, this::wallMicros);
        }

        void pass(Duration duration) {
            nanos += duration.toNanos();
        }
    }

    private final Clocks clocks = new Clocks();
    private final AnchoredTime time = clocks.time();

    private void passInSteps(Duration duration, Duration step) {
        for (Duration passed = Duration.ZERO; passed.compareTo(duration) < 0; passed = passed.plus(step)) {
            clocks.pass(step);
            assertThat(time.nowMicros()).isPositive();
        }
    }

    @Test
    void startsAtWallTimeAndFollowsTheMonotonicClock() {
        assertThat(time.nowMicros()).isEqualTo(START);

        clocks.pass(Duration.ofNanos(1_999));
        assertThat(time.nowMicros()).isEqualTo(START + 1);

        clocks.pass(Duration.ofSeconds(5));
        assertThat(time.nowMicros()).isEqualTo(START + 5_000_001);
    }

    /** The wall clock was set, or the machine slept: windows end when the world says so. */
    @Test
    void jumpsForwardWithTheWallClockAtOnce() {
        clocks.wallAheadMicros = 3_600_000_000L;
        clocks.pass(Duration.ofMillis(10));

        assertThat(time.nowMicros()).isEqualTo(START + 3_600_010_000L);
    }

    @Test
    void looksAtTheWallClockOnlyNowAndThen() {
        clocks.wallAheadMicros = 3_600_000_000L;
        clocks.pass(Duration.ofNanos(9_999_999));

        assertThat(time.nowMicros()).isEqualTo(START + 9_999);
    }

    /** Known bug T4. */
    @Test
    void runsATenthSlowerWhileTheWallClockIsBehind() {
        clocks.wallAheadMicros = -1_000_000;
        clocks.pass(Duration.ofMillis(10));
        long before = time.nowMicros();
        assertThat(before).isEqualTo(START + 10_000);

        clocks.pass(Duration.ofMillis(5));
        assertThat(time.nowMicros()).isEqualTo(before + 4_500);

        passInSteps(Duration.ofSeconds(5), Duration.ofMillis(7));
        double slower = (time.nowMicros() - before) / (double) (clocks.wallMicros() + 1_000_000 - before);
        assertThat(slower).isCloseTo(0.9, within(0.001));
    }

    /** Known bug T4: it recovers. */
    @Test
    void meetsTheWallClockAgain() {
        clocks.wallAheadMicros = -1_000_000;
        passInSteps(Duration.ofSeconds(11), Duration.ofMillis(7));

        assertThat(time.nowMicros() - clocks.wallMicros()).isBetween(-20L, 20L);

        passInSteps(Duration.ofSeconds(5), Duration.ofMillis(7));
        assertThat(time.nowMicros() - clocks.wallMicros()).isBetween(-20L, 20L);
    }

    @Test
    void catchesUpEvenIfNobodyAsksMeanwhile() {
        clocks.wallAheadMicros = -1_000_000;
        clocks.pass(Duration.ofMillis(10));
        assertThat(time.nowMicros()).isEqualTo(START + 10_000);

        clocks.pass(Duration.ofSeconds(60));
        assertThat(time.nowMicros()).isEqualTo(clocks.wallMicros());
    }

    @Test
    void leavesASmallDifferenceAlone() {
        clocks.wallAheadMicros = AnchoredTime.TOLERANCE_MICROS;
        clocks.pass(Duration.ofSeconds(1));
        assertThat(time.nowMicros()).isEqualTo(START + 1_000_000);

        clocks.wallAheadMicros = -AnchoredTime.TOLERANCE_MICROS;
        clocks.pass(Duration.ofSeconds(1));
        assertThat(time.nowMicros()).isEqualTo(START + 2_000_000);
    }

    /** A thread that is held up between the two readings sees a difference that is none. */
    @Test
    void isNotMovedByAPauseBetweenTheReadings() {
        for (long pauseMillis : new long[] {1, 9, 11, 500}) {
            Clocks slow = new Clocks() {
                private long pauses;

                @Override
                long wallMicros() {
                    if (pauses > 0) {
                        pauses--;
                        pass(Duration.ofMillis(pauseMillis)); // after the nano time was read, before the wall clock is
                    }
                    return super.wallMicros();
                }

                @Override
                AnchoredTime time() {
                    AnchoredTime time = super.time();
                    pauses = 1;
                    return time;
                }
            };
            AnchoredTime paused = slow.time();
            slow.pass(Duration.ofMillis(10));

            assertThat(paused.nowMicros()).isEqualTo(START + 10_000 + pauseMillis * 1_000);
            slow.pass(Duration.ofMillis(1));
            assertThat(paused.nowMicros()).isEqualTo(START + 11_000 + pauseMillis * 1_000);
        }
    }

    /** Known bug T10: no fraction of a microsecond is thrown away when the anchor moves. */
    @Test
    void doesNotDriftOverMillionsOfReadings() {
        Random random = Seeds.random(getClass());
        for (int i = Seeds.rounds(2_000_000); i > 0; i--) {
            clocks.nanos += random.nextInt(20_000_003);
            long now = time.nowMicros();
            if (now != clocks.wallMicros()) {
                assertThat(now).isEqualTo(clocks.wallMicros());
            }
        }
    }

    /** Clocks that several threads read, while time passes and the wall clock is set. */
    private static final class Shared extends Clocks {

        private final Random random;
        private final InterleavedThreads turns;
        private final AnchoredTime time;
        private long highest;

        Shared(Random random) {
            this.random = random;
            this.turns = new InterleavedThreads(random);
            this.time = new AnchoredTime(this::nanoTime, this::wallMicros);
        }

        @Override
        long nanoTime() {
            long read = super.nanoTime();
            turns.pass();
            return read;
        }

        @Override
        long wallMicros() {
            long read = super.wallMicros();
            turns.pass();
            return read;
        }

        /** A reading must not be smaller than any that had ended before it began. */
        void readAndMove() {
            for (int i = 0; i < 100; i++) {
                long floor = highest;
                long now = time.nowMicros();
                if (now < floor) {
                    throw new AssertionError("time went back by " + (floor - now) + " us");
                }
                highest = Math.max(highest, now);
                nanos += random.nextInt(random.nextInt(4) == 0 ? 15_000_000 : 300_000);
                if (random.nextInt(5) == 0) {
                    wallAheadMicros += (random.nextBoolean() ? 1 : -1) * (long) random.nextInt(10_000);
                }
            }
        }
    }

    /** Known bug T4. */
    @Test
    void neverGoesBackWhateverTheClocksDo() {
        Random random = Seeds.random(getClass());
        for (int round = Seeds.rounds(100); round > 0; round--) {
            Shared shared = new Shared(random);
            shared.turns.run(shared::readAndMove, shared::readAndMove, shared::readAndMove);
        }
    }

    /** One thread is held up within a check; another has just read the clock when that check ends, and makes the next one. */
    @Test
    @Timeout(30)
    void doesNotGoBackWhenTwoChecksOverlap() throws Exception {
        CountDownLatch hasRead = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicReference<Thread> second = new AtomicReference<>();
        Clocks overlapping = new Clocks() {
            @Override
            long nanoTime() {
                long read = super.nanoTime();
                if (second.get() == Thread.currentThread() && hasRead.getCount() > 0) {
                    hasRead.countDown();
                    await(goesOn);
                }
                return read;
            }

            @Override
            long wallMicros() {
                if (second.get() != null && second.get().getState() == Thread.State.NEW) {
                    pass(Duration.ofNanos(19_800_000));
                    second.get().start();
                    await(hasRead);
                    pass(Duration.ofNanos(200_000));
                }
                return super.wallMicros();
            }
        };
        AnchoredTime shared = overlapping.time();
        second.set(new Thread(shared::nowMicros));
        overlapping.wallAheadMicros = -5_000;
        overlapping.pass(Duration.ofMillis(10));

        long first = shared.nowMicros();
        goesOn.countDown();
        second.get().join();

        assertThat(shared.nowMicros()).isGreaterThanOrEqualTo(first);
    }

    @Test
    void tellsTheTimeOfThisMachine() {
        long before = TestTime.micros(Instant.now());
        long now = TimeSource.system().nowMicros();

        assertThat(now).isCloseTo(before, within(5_000_000L));
        assertThat(TimeSource.system().nowMicros()).isGreaterThanOrEqualTo(now);
    }

    /** Known bug A8: what a caller does when its wait is over is not done on the one thread that ends all waits. */
    @Test
    @Timeout(30)
    void letsNobodyHoldUpTheWaitsOfOthers() throws Exception {
        CountDownLatch over = new CountDownLatch(1);
        CompletableFuture<Void> later = TimeSource.system().after(20_000).thenRun(over::countDown);
        CompletableFuture<Boolean> blocking = TimeSource.system().after(1_000).thenApply(awake -> await(over));

        assertThat(blocking.get()).isTrue();
        assertThat(later).succeedsWithin(Duration.ofSeconds(10));
    }

    /** Cancelled, as waiters do who leave, or completed, as the guard does with the alarm of every check. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Timeout(30)
    void forgetsAWaitThatIsOverBeforeItsTime(boolean cancelled) {
        CompletableFuture<Void> wait = TimeSource.system().after(TimeUnit.DAYS.toMicros(1));
        WeakReference<Object> traces = new WeakReference<>(wait);
        if (cancelled) {
            wait.cancel(false);
        } else {
            wait.complete(null);
        }
        wait = null;

        while (traces.get() != null) {
            System.gc();
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(10, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
