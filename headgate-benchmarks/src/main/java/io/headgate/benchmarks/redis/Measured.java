package io.headgate.benchmarks.redis;

import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

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

    /** Each figure's median over several runs. */
    static Measured median(List<Measured> runs) {
        return new Measured(
                median(runs, Measured::perSecond),
                median(runs, Measured::p50),
                median(runs, Measured::p99),
                median(runs, Measured::calls),
                median(runs, Measured::redisCpu),
                median(runs, Measured::clientCpu));
    }

    private static double median(List<Measured> runs, ToDoubleFunction<Measured> figure) {
        return runs.stream()
                .map(figure::applyAsDouble)
                .sorted(Comparator.naturalOrder())
                .skip((runs.size() - 1) / 2)
                .findFirst()
                .orElseThrow();
    }
}
