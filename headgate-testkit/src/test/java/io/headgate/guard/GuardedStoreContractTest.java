package io.headgate.guard;

import io.headgate.Algorithms;
import io.headgate.FailurePolicy;
import io.headgate.Store;
import io.headgate.memory.MemoryStore;
import io.headgate.testkit.StoreClock;
import io.headgate.testkit.StoreContract;

/** Before a store that works a guard cannot be noticed. */
class GuardedStoreContractTest extends StoreContract {

    @Override
    protected Store open(Algorithms algorithms, StoreClock time) {
        Store store = new FaultyStore(new MemoryStore(algorithms, time, 100_000));
        Store memory = new MemoryStore(algorithms, time, 100_000);
        return new Guard(store, memory, GuardSettings.DEFAULT.instances(1), time).store(FailurePolicy.LOCAL);
    }
}
