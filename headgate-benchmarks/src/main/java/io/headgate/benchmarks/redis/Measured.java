package io.headgate.benchmarks.redis;

/**
 * The measurements of one run.
 *
 * @param perSecond checks per second
 * @param p50 the median duration of a check, in microseconds
 * @param p99 the 99th percentile of the duration of a check, in microseconds
 * @param calls script calls per check, as counted by Redis
 * @param redisCpu processor time of Redis per check, in microseconds
 * @param clientCpu processor time of this process per check, in microseconds
 */
record Measured(double perSecond, double p50, double p99, double calls, double redisCpu, double clientCpu) {

    double cpu() {
        return redisCpu + clientCpu;
    }
}
