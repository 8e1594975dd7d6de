package io.headgate.spring.autoconfigure;

import io.headgate.Store;

/** Looks on while a store that can fail is asked. */
@FunctionalInterface
interface StoreWatch {

    Store watched(Store store);
}
