package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.headgate.FailurePolicy;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException.Reason;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a check costs while the store is left alone, which is when a process has no time to lose. */
class OutageCostTest extends GuardFixture {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int CHECKS = 200;

    /** A request comes through a hundred frames of filters; an exception that notes them all takes longer than all the rest. */
    private static final int FRAMES = 1_000;

    /** An exception with the stack would take more than ten bytes for each frame. */
    private static final long MOST_BYTES = 4 * FRAMES;

    @ParameterizedTest
    @EnumSource
    void notesNoStack(FailurePolicy policy) {
        Guard guard = guard();
        store.failWith(Reason.UNREACHABLE);
        Plan plan = Plan.parse("2/min"); // so that in process most are denied
        Ledger guarded = guard.bind(KEY.scope(), plan, policy);
        check(guarded);
        assertThat(guard.openCircuits()).isOne();
        assertThat(bytes(guarded, FRAMES) / CHECKS).as("bytes per check").isLessThan(MOST_BYTES);
        assertThat(guard.failures(Reason.BREAKER)).isGreaterThan(CHECKS);
    }

    private static long bytes(Ledger guarded, int frames) {
        if (frames > 0) {
            return bytes(guarded, frames - 1);
        }
        long before = THREADS.getCurrentThreadAllocatedBytes();
        check(guarded);
        return THREADS.getCurrentThreadAllocatedBytes() - before;
    }

    private static void check(Ledger guarded) {
        for (int i = 0; i < CHECKS; i++) {
            guarded.apply(KEY.subject(), Operation.ONE);
            guarded.applyAsync(KEY.subject(), Operation.ONE).join();
        }
    }
}
