package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.rig.FaultProxy;
import io.headgate.rig.Processes;
import io.headgate.rig.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Two instances under mixed traffic while Redis fails again and again, each time in another way: no request ends in an error, none
 * hangs, and the heap stays as it is. Known bug R7.
 */
@Execution(ExecutionMode.CONCURRENT)
class OutagesIT {

    private static final boolean PROOF = Boolean.getBoolean("headgate.proof");
    private static final int SECONDS = PROOF ? 600 : 10;
    private static final int EVERY_SECONDS = PROOF ? 20 : 3;
    private static final int LASTING_SECONDS = PROOF ? 5 : 1;
    private static final int INSTANCES = 2;

    private static final long LEEWAY_BYTES = 8L << 20;

    @Test
    void twoInstancesLiveThroughThem() throws Exception {
        List<Instance.Report> reports = new ArrayList<>();
        List<Fault> faults;
        try (RedisServer redis = Fault.redis();
                FaultProxy network = FaultProxy.to(redis);
                Processes instances =
                        Processes.fork(INSTANCES, Instance.class, Fault.uri(network), String.valueOf(SECONDS))) {
            instances.awaitLine("ready");
            instances.tell("go");
            faults = failNowAndThen(redis, network);
            for (List<String> lines : instances.finish(Duration.ofSeconds(SECONDS))) {
                reports.add(Instance.Report.parse(lines));
            }
        }
        write(reports, faults);
        assertThat(reports).hasSize(INSTANCES).allSatisfy(report -> {
            assertThat(report.errors())
                    .as("errors, which a client would see as 500: " + report)
                    .isZero();
            assertThat(report.hangs()).as("requests that hung").isZero();
            assertThat(Duration.ofNanos(report.longestNanos()))
                    .as("the longest")
                    .isLessThan(Instance.HANG);
            assertThat(report.passed()).as("200").isPositive();
            assertThat(report.denied()).as("429").isPositive();
            assertThat(report.unavailable()).as("503").isPositive();
            assertThat(report.degraded()).as("decided without Redis").isPositive();
            assertThat(report.degraded()).as("and with it").isLessThan(report.checks());
            assertThat(report.heapAtLast()).as("heap").isLessThan(report.heapAtFirst() + LEEWAY_BYTES);
        });
    }

    private static void write(List<Instance.Report> reports, List<Fault> faults) {
        FaultReport findings = new FaultReport(
                "2-outages",
                """
                ## Two instances under load, and outages all the time

                Two processes had mixed traffic for %d s (rules of every policy, blocking and asynchronous, two rules on each
                request) while Redis failed for %d s in every %d, %d times in all: %s.
                """.formatted(SECONDS, LASTING_SECONDS, EVERY_SECONDS, faults.size(), names(faults)),
                List.of(
                        "instance",
                        "200",
                        "429",
                        "503",
                        "errors",
                        "hung",
                        "without Redis",
                        "longest",
                        "heap after a third, at the end"));
        for (int i = 0; i < reports.size(); i++) {
            Instance.Report report = reports.get(i);
            findings.add(List.of(
                    String.valueOf(i + 1),
                    String.valueOf(report.passed()),
                    String.valueOf(report.denied()),
                    String.valueOf(report.unavailable()),
                    String.valueOf(report.errors()),
                    String.valueOf(report.hangs()),
                    String.valueOf(report.degraded()),
                    FaultReport.millis(Duration.ofNanos(report.longestNanos())),
                    report.heapAtFirst() / 1024 + " KiB, " + report.heapAtLast() / 1024 + " KiB"));
        }
        findings.write();
    }

    private static String names(List<Fault> faults) {
        return faults.stream().distinct().map(Fault::name).collect(Collectors.joining(", "));
    }

    /** Total faults in a short run some of them, in a long one all, again and again. */
    private static List<Fault> failNowAndThen(RedisServer redis, FaultProxy network) throws InterruptedException {
        Fault[] all = Stream.of(Fault.values()).filter(Fault::total).toArray(Fault[]::new);
        List<Fault> happened = new ArrayList<>();
        long start = System.nanoTime();
        for (int at = LASTING_SECONDS; at + 2 * LASTING_SECONDS < SECONDS; at += EVERY_SECONDS) {
            sleepUntil(start, at);
            Fault fault = all[happened.size() % all.length];
            fault.strike(redis, network);
            sleepUntil(start, at + LASTING_SECONDS);
            fault.heal(redis, network);
            happened.add(fault);
        }
        return happened;
    }

    private static void sleepUntil(long startNanos, int seconds) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(startNanos + TimeUnit.SECONDS.toNanos(seconds) - System.nanoTime());
    }
}
