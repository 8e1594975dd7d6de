package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.FailurePolicy;
import io.headgate.Ledger;
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
    void asksOnAnotherThreadIfTheStoreMayBlock() {
        assertThat(askedBy(true)).isNotSameAs(Thread.currentThread());
        assertThat(askedBy(false)).isSameAs(Thread.currentThread());
    }

    private Thread askedBy(boolean blocks) {
        AtomicReference<Thread> asked = new AtomicReference<>();
        Store store = new Store() {
            @Override
            public Ledger bind(String scope, Plan plan) {
                Ledger ledger = shared.bind(scope, plan);
                return (subject, operation) -> {
                    asked.set(Thread.currentThread());
                    return ledger.apply(subject, operation);
                };
            }

            @Override
            public boolean blocks() {
                return blocks;
            }
        };
        Guard.withoutBlocking(store, "api", Plan.parse("1/h"))
                .applyAsync("alice", Operation.ONE)
                .join();
        return asked.get();
    }
}
