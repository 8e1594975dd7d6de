package io.headgate.redis;

import static io.headgate.redis.FaultReport.millis;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.StoreException.Reason;
import io.headgate.guard.Guard;
import io.headgate.guard.GuardSettings;
import io.headgate.rig.FaultProxy;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A real Redis fails in every way we can make it: no check hangs, each limiter does what its policy says, and all is as before once
 * Redis is back. Known bugs R5, R7, R8.
 */
class FaultsIT {

    private static final int LIMIT = 40;
    private static final Plan PLAN = Plan.parse(LIMIT + " per 366d");
    private static final int SHARE = LIMIT / 2;

    /** Times, and what each fault leaves behind, are compared in the long run only, where nothing else runs at the same time. */
    private static final boolean PROOF = Boolean.getBoolean("headgate.proof");

    private static final int CYCLES = PROOF ? 50 : 1;
    private static final int THREADS = 4;
    private static final int EACH = 60;

    private static final Duration DEADLINE = GuardSettings.DEFAULT.deadline();

    /** What a check may take beyond its deadline. */
    private static final Duration LEEWAY = Duration.ofMillis(20);

    /** Far above the deadline and far below what a client library would wait: what a busy machine may add to a single check. */
    private static final Duration LONG = Duration.ofMillis(400);

    private static final Duration RECOVERY = Duration.ofSeconds(2);
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** More than a store that is connected anew needs, and less than any leak of a cycle would come to in the long run. */
    private static final int LEEWAY_THREADS = 8;

    private static final long LEEWAY_BYTES = 16L << 20;

    private static RedisServer redis;
    private static FaultReport findings;
    private FaultProxy network;
    private RedisStore store;
    private Guard guard;
    private RateLimiter open;
    private RateLimiter closed;
    private RateLimiter local;

    @BeforeAll
    static void startRedis() {
        redis = Fault.redis();
        findings = new FaultReport(
                "1-faults",
                """
                # What was tried, and what happened

                Written by the tests: see [how](guide/failure.md#see-for-yourself).

                ## One instance of two, and a real Redis that fails

                Every fault came %d times. While it lasted %d threads asked limiters of each policy %d times. What the fault let through
                the store decided; without it `closed` denied every request, `open` allowed every one, and `local` no more than
                its share of %d. Afterwards there was one connection again, and no more threads and no more heap than before. The
                p99 of a check must be below the deadline of 100 ms as the machine keeps it, and 20 ms more: that is the median of what threads took
                at the same time that only waited for an alarm of 100 ms; beside it is their longest. Redis had to decide again within 2 s
                from its return, or as much later as the latest alarm was; the longest of all recoveries is shown.
                """.formatted(CYCLES, THREADS, THREADS * EACH, SHARE),
                List.of(
                        "fault",
                        "checks",
                        "p99",
                        "longest",
                        "bare alarm, longest",
                        "without the store",
                        "counted as",
                        "back after"));
    }

    @AfterAll
    static void closeRedis() {
        findings.write();
        redis.close();
    }

    @BeforeEach
    void connect() {
        redis.command("FLUSHALL");
        network = FaultProxy.to(redis);
        guard(RedisStore.builder(RedisURI.create(Fault.uri(network))).build());
    }

    private void guard(RedisStore guarded) {
        store = guarded;
        Headgate headgate = Headgate.builder()
                .store(store)
                .guard(GuardSettings.DEFAULT.instances(2))
                .build();
        guard = headgate.guard().orElseThrow();
        open = headgate.limiter("open", PLAN, FailurePolicy.OPEN);
        closed = headgate.limiter("closed", PLAN, FailurePolicy.CLOSED);
        local = headgate.limiter("local", PLAN, FailurePolicy.LOCAL);
    }

    @AfterEach
    void disconnect() {
        store.close();
        network.close();
    }

    @ParameterizedTest
    @EnumSource
    void keepsLimitingAndRecovers(Fault fault) throws Exception {
        awaitStore(); // the first call of a store loads classes, and a busy machine takes its time
        Set<Reason> before = counted();
        RequestTimings watches = new RequestTimings();
        Duration recovery = Duration.ZERO;
        int threads = 0;
        long heap = 0;
        try (IdleThreadDelays alarms = new IdleThreadDelays(DEADLINE)) {
            for (int cycle = 0; cycle < CYCLES; cycle++) {
                suffer(fault, acquainted(cycle), watches);
                Duration back = recovery();
                recovery = back.compareTo(recovery) > 0 ? back : recovery;
                awaitOneConnection();
                if (cycle == 0) {
                    threads = Thread.activeCount();
                    heap = usedHeap();
                }
            }
            add(fault, watches, alarms, recovery);
            assertThat(counted()).isSubsetOf(allowed(fault, before)).containsAnyElementsOf(fault.reasons());
            if (PROOF) {
                assertInTime(watches, alarms, recovery);
            }
        }
        if (PROOF) {
            assertThat(Thread.activeCount()).as("threads").isLessThanOrEqualTo(threads + LEEWAY_THREADS);
            assertThat(usedHeap()).as("heap").isLessThan(heap + LEEWAY_BYTES);
        }
    }

    private static void assertInTime(RequestTimings watches, IdleThreadDelays alarms, Duration recovery) {
        assertThat(watches.quantile(0.99))
                .as("p99 of a check")
                .isLessThan(alarms.quantile(0.5).plus(LEEWAY));
        assertThat(watches.quantile(1)).as("the longest check").isLessThan(LONG.plus(alarms.delay()));
        assertThat(recovery).isLessThan(RECOVERY.plus(alarms.delay()));
    }

    private void add(Fault fault, RequestTimings watches, IdleThreadDelays alarms, Duration recovery) {
        String causes = counted().stream()
                .map(reason -> reason.name() + " " + guard.failures(reason))
                .collect(Collectors.joining(", "));
        long without = counted().stream().mapToLong(guard::failures).sum();
        findings.add(List.of(
                "**" + fault + "** " + fault.text(),
                String.valueOf(watches.count()),
                millis(watches.quantile(0.99)),
                millis(watches.quantile(1)),
                millis(alarms.quantile(0.5)) + ", " + millis(alarms.quantile(1)),
                String.valueOf(without),
                causes,
                millis(recovery)));
    }

    /** Somebody whom the store has granted one permit, as this instance knows: in time, even if the machine is busy. */
    private String acquainted(int cycle) {
        for (int attempt = 0; ; attempt++) {
            String subject = "client " + cycle + "." + attempt;
            if (!local.tryAcquire(subject).degraded()) {
                return subject;
            }
            assertThat(attempt).isLessThan(1_000_000);
        }
    }

    /** Asks limiters of every policy while the fault lasts. */
    private void suffer(Fault fault, String subject, RequestTimings watches) throws Exception {
        fault.strike(redis, network);
        try {
            List<Decision> denied = watches.time(THREADS, EACH, i -> during(fault, i, closed, subject + i));
            assertThat(denied).allMatch(each -> each.degraded() == each instanceof Decision.Unavailable);
            List<Decision> allowed = watches.time(THREADS, EACH, i -> {
                goOn(fault, i);
                return open.tryAcquireAsync(subject).join();
            });
            assertThat(allowed).allMatch(each -> each.allowed() || !each.degraded());
            List<Decision> limited = watches.time(THREADS, EACH, i -> during(fault, i, local, subject));
            assertThat(granted(limited, false))
                    .as("by the store, which had granted one")
                    .isLessThan(LIMIT);
            assertThat(granted(limited, true)).as("in process").isLessThanOrEqualTo(SHARE);
            if (fault.total()) {
                assertThat(denied).allMatch(Decision::degraded);
                assertThat(allowed).allMatch(Decision::degraded);
                assertThat(limited).allMatch(Decision::degraded);
                assertThat(granted(limited, true))
                        .as("one was spent, so the share has one less")
                        .isEqualTo(SHARE - 1);
            }
        } finally {
            fault.heal(redis, network);
        }
    }

    private Decision during(Fault fault, int number, RateLimiter limiter, String subject) {
        goOn(fault, number);
        return limiter.tryAcquire(subject);
    }

    private void goOn(Fault fault, int number) {
        if (number % 20 == 0) {
            fault.goOn(redis, network);
        }
    }

    private static long granted(List<Decision> decisions, boolean inProcess) {
        return decisions.stream()
                .filter(each -> each.allowed() && each.degraded() == inProcess)
                .count();
    }

    /** Nothing hangs and nothing is off even if Redis is not there from the start. */
    @Test
    void startsWithoutRedis() throws Exception {
        store.close();
        network.refuse();
        guard(RedisStore.builder(RedisURI.create(Fault.uri(network)))
                .startDegraded()
                .build());
        long granted = 0;
        for (int i = 0; i < 100; i++) {
            granted += local.tryAcquire("early").allowed() ? 1 : 0;
        }
        assertThat(granted).isEqualTo(SHARE);
        network.pass();
        Duration recovery = recovery();
        if (PROOF) {
            assertThat(recovery).isLessThan(RECOVERY);
        }
    }

    /** What Redis granted to those who had been denied already is given back. */
    @Test
    void takesBackWhatCameTooLate() throws Exception {
        awaitStore();
        network.delay(Duration.ofMillis(150));
        assertThat(closed.tryAcquire("late")).isInstanceOf(Decision.Unavailable.class);
        assertThat(closed.tryAcquire("late")).isInstanceOf(Decision.Unavailable.class);
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (guard.takenBack() < 2) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        network.pass();
        while (closed.peek("late").degraded() || closed.peek("late").remaining() < LIMIT) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private Set<Reason> counted() {
        return EnumSet.allOf(Reason.class).stream()
                .filter(reason -> guard.failures(reason) > 0)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Reason.class)));
    }

    private static Set<Reason> allowed(Fault fault, Set<Reason> before) {
        Set<Reason> reasons = EnumSet.of(Reason.BREAKER);
        reasons.addAll(before);
        reasons.addAll(fault.reasons());
        // the way back: connections are made anew, and what was under way on the old ones ends
        reasons.add(Reason.UNREACHABLE);
        reasons.add(Reason.TIMEOUT);
        return reasons;
    }

    /** How long it takes from now until the store decides again. */
    private Duration recovery() throws InterruptedException {
        long start = System.nanoTime();
        awaitStore();
        return Duration.ofNanos(System.nanoTime() - start);
    }

    private void awaitStore() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (closed.peek("anybody").degraded()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** One that was cut, or that another has taken the place of, may take a moment to be gone. */
    private void awaitOneConnection() throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (network.open() != 1) {
            assertThat(System.nanoTime()).as("%d connections", network.open()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static long usedHeap() {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
