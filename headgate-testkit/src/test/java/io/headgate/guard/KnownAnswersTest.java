package io.headgate.guard;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.engine.LedgerLimiter;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Answers that a store has at hand hold whatever becomes of it, and say nothing of how it does. */
class KnownAnswersTest extends GuardFixture {

    private static final Key FORMER = new Key("login", FaultyStore.FORMER);
    private static final Plan PLAN = Plan.parse("5/min");
    private static final Decision DENIED = new Decision.Denied(Limit.parse("5/min"), 0, 1_000_000, 0, List.of());

    @Test
    void doNotKeepTheBreakerFromOpening() {
        Guard guard = guard();
        store.remember(DENIED);
        store.failWith(StoreException.Reason.UNREACHABLE);

        for (int i = 0; i < GuardSettings.DEFAULT.failures(); i++) {
            take(guard, FailurePolicy.LOCAL, "5/min");
            for (int j = 0; j < 10; j++) {
                assertThat(former(guard)).isSameAs(DENIED);
            }
        }

        assertThat(guard.openCircuits()).isEqualTo(1);
    }

    @Test
    void holdWhileTheStoreIsLeftAloneAndDoNotEndTheOutage() {
        Guard guard = guard();
        store.failWith(StoreException.Reason.UNREACHABLE);
        while (guard.openCircuits() == 0) {
            take(guard, FailurePolicy.LOCAL, "5/min");
        }
        passes("1s");
        store.remember(DENIED);

        assertThat(former(guard)).isSameAs(DENIED);
        assertThat(guard.failingFor()).isPositive();
    }

    private Decision former(Guard guard) {
        Ledger ledger = guard.bind(FORMER.scope(), PLAN, FailurePolicy.LOCAL);
        return new LedgerLimiter(FORMER.scope(), PLAN, ledger, time).tryAcquire(FORMER.subject());
    }
}
