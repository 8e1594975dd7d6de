package io.headgate.benchmarks;

import org.openjdk.jmh.infra.Blackhole;

/** A limiter of many keys from any of the libraries. */
interface Limiter {

    /**
     * Asks for one permit of the key, passes everything that the library returns to the black hole, and returns whether the permit
     * was granted.
     */
    boolean ask(String key, Blackhole hole);
}
