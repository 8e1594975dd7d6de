package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.StoreException.Reason;
import io.headgate.memory.MemoryStore;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Known bug O6: what a guard finds out without requests. */
class ProberTest extends GuardFixture {

    private static final Object PART = false;

    /** A field, because a guard that nobody refers to stops probing. */
    private Guard guard;

    @BeforeEach
    void canBeProbed() {
        store.canBeProbedAt(PART);
    }

    @Test
    void noticesAnOutageAndItsEndWithinTwoSecondsEach() {
        guard = guard();
        for (Reason reason : new Reason[] {Reason.UNREACHABLE, Reason.READ_ONLY}) {
            take(guard, FailurePolicy.LOCAL, "100/h");
            store.failWith(reason);
            passes("2s");
            assertThat(guard.failingFor()).isBetween(Duration.ofMillis(500), Duration.ofSeconds(2));

            passes("8s");
            assertThat(guard.failingFor()).isBetween(Duration.ofMillis(8_500), Duration.ofSeconds(10));
            assertThat(guard.openCircuits()).isEqualTo(1);
            assertThat(guard.failures(reason)).as("operations that failed").isZero();

            store.work();
            passes("2s");
            assertThat(guard.failingFor()).isZero();
            assertThat(guard.openCircuits()).isZero();
        }
    }

    /** It knows before the first request, too. */
    @Test
    void noticesAStoreThatNeverAnswers() {
        store.keepSilent();
        guard = guard();
        passes("2s");
        assertThat(guard.failingFor()).isPositive();
        assertThat(store.probes()).as("one at a time").isEqualTo(1);
        assertThat(store.calls()).isZero();

        store.answerAtLast();
        passes("2s");
        assertThat(guard.failingFor()).isZero();
    }

    /** The breaker, which requests have opened, is closed by a probe. */
    @Test
    void degradesNoRequestAfterTheOutage() {
        settings = settings.openFor(Duration.ofSeconds(50));
        guard = guard();
        store.failWith(Reason.UNREACHABLE);
        for (int i = 0; i < settings.failures(); i++) {
            take(guard, FailurePolicy.LOCAL, "100/h");
        }
        passes("1s");
        store.work();
        passes("2s");

        Decision first = take(guard, FailurePolicy.LOCAL, "100/h");

        assertThat(first.degraded()).isFalse();
    }

    @Test
    void sendsNothingWhileRequestsTell() {
        guard = guard();
        for (int i = 0; i < 50; i++) {
            take(guard, FailurePolicy.LOCAL, "100/h");
            passes("0.5s");
        }
        assertThat(store.probes()).isZero();

        passes("10s");
        assertThat(store.probes()).isBetween(8, 14);
    }

    /** It may have met a pause of this process. */
    @Test
    void takesOneMissedProbeForNoOutage() {
        guard = guard();
        store.failWith(Reason.TIMEOUT);
        time.advanceMicros(Prober.LOOK_MICROS + Prober.QUIET_MICROS);
        assertThat(store.probes()).isEqualTo(1);
        store.work();
        assertThat(guard.failingFor()).isZero();
        passes("5s");
        assertThat(guard.failingFor()).isZero();
    }

    /** On a cluster, a node without traffic is probed, and the others go on telling by their requests. */
    @Test
    void probesThePartThatNobodyAsks() {
        store.canBeProbedAt(PART, true);
        guard = guard();
        for (int i = 0; i < 20; i++) {
            take(guard, FailurePolicy.LOCAL, "100/h");
            passes("0.5s");
        }
        assertThat(store.probes()).isBetween(8, 14);
    }

    @Test
    void stopsWhenTheStoreIsClosed() {
        guard = guard();
        passes("3s");
        int before = store.probes();
        assertThat(before).isPositive();

        store.canBeProbedAt();
        passes("10s");

        assertThat(store.probes()).isEqualTo(before);
        assertThat(time.waiting()).isZero();
    }

    @Test
    void leavesAStoreAloneThatCannotBeProbed() {
        store.canBeProbedAt();
        guard = guard();
        Guard second = new Guard(
                new MemoryStore(Headgate.algorithms(), time, 10),
                new MemoryStore(Headgate.algorithms(), time, 10),
                settings,
                time);
        assertThat(time.waiting()).as("timers").isZero();
        passes("10s");
        assertThat(store.probes()).isZero();
        assertThat(second.failingFor()).isZero();
    }
}
