package io.headgate.benchmarks;

import org.openjdk.jmh.infra.Blackhole;

/** A limiter of many keys, whichever library it is from. */
interface Limiter {

    /**
     * Asks for one permit of the key, gives everything the library answers to the black hole, and says whether it was granted.
     */
    boolean ask(String key, Blackhole hole);
}
