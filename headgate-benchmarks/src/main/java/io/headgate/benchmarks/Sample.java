package io.headgate.benchmarks;

/** What one fork measured: the time of a question, and what it allocated. */
record Sample(double nanos, double bytes) {}
