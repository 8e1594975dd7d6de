package io.headgate.guide;

import io.headgate.Algorithms;
import io.headgate.Store;
import io.headgate.testkit.Clockwork;
import io.headgate.testkit.StoreContract;

// snippet
class MapStoreContractTest extends StoreContract {

    @Override
    protected Store open(Algorithms algorithms, Clockwork time) {
        return new MapStore(algorithms, time);
    }
}
// end
