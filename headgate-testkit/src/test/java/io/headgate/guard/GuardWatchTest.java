package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Key;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** What a guard tells those who watch it, and how it has stores asked. */
class GuardWatchTest extends GuardFixture {

    @Test
    void countsThePartsThatAreLeftAlone() {
        Guard guard = guard();
        take(guard, FailurePolicy.LOCAL, "100/h");
        store.failWith(StoreException.Reason.UNREACHABLE);
        for (int i = 0; i < settings.failures(); i++) {
            assertThat(guard.openCircuits()).isZero();
            take(guard, FailurePolicy.LOCAL, "100/h");
        }
        assertThat(guard.openCircuits()).isEqualTo(1);

        store.work();
        passes("1s");
        take(guard, FailurePolicy.LOCAL, "100/h");
        assertThat(guard.openCircuits()).isZero();
    }

    /** A cluster may have given its keys to another node: nobody would ever find out that it is back. */
    @Test
    void forgetsAPartThatNobodyAsksForAMinute() {
        Guard guard = guard();
        store.failWith(StoreException.Reason.UNREACHABLE);
        for (int i = 0; i < settings.failures(); i++) {
            take(guard, FailurePolicy.LOCAL, "100/h");
        }
        passes("59s");
        assertThat(guard.openCircuits()).isEqualTo(1);
        passes("2s");
        assertThat(guard.openCircuits()).isZero();
    }

    @Test
    void asksOnAnotherThreadUnlessTheStoreIsInThisProcess() {
        assertThat(askedBy(false)).isNotSameAs(Thread.currentThread());
        assertThat(askedBy(true)).isSameAs(Thread.currentThread());
        assertThat(Guard.withoutBlocking(store)).isSameAs(store);
    }

    private Thread askedBy(boolean inProcess) {
        AtomicReference<Thread> asked = new AtomicReference<>();
        Store blocking = new Store() {
            @Override
            public Decision apply(Key key, Plan plan, Operation operation) {
                asked.set(Thread.currentThread());
                return shared.apply(key, plan, operation);
            }

            @Override
            public boolean inProcess() {
                return inProcess;
            }

            @Override
            public void check(Plan plan) {}
        };
        Guard.withoutBlocking(blocking)
                .applyAsync(KEY, Plan.parse("1/h"), Operation.ONE)
                .join();
        return asked.get();
    }
}
