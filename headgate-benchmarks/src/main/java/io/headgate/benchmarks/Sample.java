package io.headgate.benchmarks;

/** The measurement of one fork: the time of a request for a permit, and the bytes it allocated. */
record Sample(double nanos, double bytes) {}
