package io.headgate.memory;

import io.headgate.Algorithms;
import io.headgate.Store;
import io.headgate.testkit.StoreClock;
import io.headgate.testkit.StoreContract;

/** The store in process keeps the contract. Known bugs O3, O5. */
class MemoryStoreContractTest extends StoreContract {

    @Override
    protected Store open(Algorithms algorithms, StoreClock time) {
        return new MemoryStore(algorithms, time, 100_000);
    }
}
