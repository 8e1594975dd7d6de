package io.headgate.testkit;

import io.headgate.Algorithms;
import io.headgate.Store;

/** The store that others are compared with keeps the contract itself. */
class PlainStoreContractTest extends StoreContract {

    @Override
    protected Store open(Algorithms algorithms, StoreClock time) {
        return new PlainStore(algorithms, time);
    }
}
