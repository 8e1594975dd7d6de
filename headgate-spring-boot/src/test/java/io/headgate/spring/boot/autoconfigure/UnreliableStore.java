package io.headgate.spring.boot.autoconfigure;

import io.headgate.Headgate;
import io.headgate.Ledger;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.TimeSource;
import io.headgate.memory.MemoryStore;

/** A store of a user that only knows how to block, and fails when told. */
final class UnreliableStore implements Store {

    private final Store memory = new MemoryStore(Headgate.algorithms(), TimeSource.system(), 1_000);
    private volatile StoreException.Reason failure;
    private volatile Thread asked;

    void failWith(StoreException.Reason reason) {
        failure = reason;
    }

    /** Who asked last. */
    Thread asked() {
        return asked;
    }

    @Override
    public Ledger bind(String scope, Plan plan) {
        Ledger ledger = memory.bind(scope, plan);
        return (subject, operation) -> {
            asked = Thread.currentThread();
            if (failure != null) {
                throw new StoreException(failure, "told to fail");
            }
            return ledger.apply(subject, operation);
        };
    }
}
