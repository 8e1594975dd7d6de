package io.headgate.guide;

import io.headgate.Algorithms;
import io.headgate.Store;
import io.headgate.testkit.StoreClock;
import io.headgate.testkit.StoreContract;

// snippet
class MapStoreContractTest extends StoreContract {

    @Override
    protected Store open(Algorithms algorithms, StoreClock time) {
        return new MapStore(algorithms, time);
    }
}
// end
