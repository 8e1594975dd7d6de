package io.headgate.spring.boot.autoconfigure;

import io.headgate.Store;

/** Wraps a store that can fail in order to observe calls to it. */
@FunctionalInterface
interface StoreWatch {

    Store watched(Store store);
}
