package io.headgate.caffeine;

import io.headgate.Algorithms;
import io.headgate.Store;
import io.headgate.testkit.StoreClock;
import io.headgate.testkit.StoreContract;

/** The Caffeine store keeps the contract, as long as there is room for every key. */
class CaffeineStoreContractTest extends StoreContract {

    @Override
    protected Store open(Algorithms algorithms, StoreClock time) {
        return new CaffeineStore(algorithms, time, 100_000);
    }
}
