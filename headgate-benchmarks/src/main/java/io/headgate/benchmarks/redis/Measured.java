package io.headgate.benchmarks.redis;

/**
 * What one run showed, per check.
 *
 * @param perSecond checks per second
 * @param p50 half of the checks took at most so many microseconds
 * @param p99 all but one in a hundred took at most so many microseconds
 * @param calls script calls that Redis counted
 * @param redisCpu microseconds of processor time of Redis
 * @param clientCpu microseconds of processor time of this process
 */
record Measured(double perSecond, double p50, double p99, double calls, double redisCpu, double clientCpu) {

    double cpu() {
        return redisCpu + clientCpu;
    }
}
