package io.headgate.redis;

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
 * Redis is back. CATALOGUE R5, R7, R8.
 */
class FaultsIT {

    private static final Plan PLAN = Plan.parse("40 per 366d");
    private static final int SHARE = 20;
    private static final int CYCLES = Boolean.getBoolean("headgate.proof") ? 50 : 2;

    /** Far above the deadline of 100 ms and far below what a client library would wait: what a busy machine may add. */
    private static final Duration LONG = Duration.ofMillis(400);

    private static final Duration RECOVERY = Duration.ofSeconds(2);

    private static RedisServer redis;
    private FaultProxy network;
    private RedisStore store;
    private Guard guard;
    private RateLimiter open;
    private RateLimiter closed;
    private RateLimiter local;

    @BeforeAll
    static void startRedis() {
        redis = RedisServer.start();
    }

    @AfterAll
    static void closeRedis() {
        redis.close();
    }

    @BeforeEach
    void connect() {
        redis.command("FLUSHALL");
        network = FaultProxy.to(redis);
        guard(RedisStore.builder(RedisURI.create("redis://127.0.0.1:" + network.port()))
                .build());
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
        awaitStore(
                Duration.ofSeconds(20)); // the first call of a store loads classes, and a busy machine takes its time
        int threads = 0;
        for (int cycle = 0; cycle < CYCLES; cycle++) {
            String subject = acquainted(cycle);
            Set<Reason> before = counted();
            fault.strike(redis, network);
            try {
                suffer(subject);
            } finally {
                fault.heal(redis, network);
            }
            Duration recovery = awaitStore(Duration.ofSeconds(20));
            System.out.println(fault + ": back after " + recovery.toMillis() + " ms");
            assertThat(recovery).isLessThan(RECOVERY);
            assertThat(counted()).isSubsetOf(allowed(fault, before)).containsAnyElementsOf(fault.reasons());
            assertThat(network.open()).as("connections").isEqualTo(1);
            int now = Thread.activeCount();
            threads = cycle == 0 ? now : threads;
            assertThat(now).as("threads").isLessThanOrEqualTo(threads + 8);
        }
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

    /** Asks in every way for a while, and then some. */
    private void suffer(String subject) throws Exception {
        Stopwatches watches = new Stopwatches();
        watches.time(4, 60, i -> closed.tryAcquire(subject + i));
        assertThat(watches.decisions()).hasSize(240).allMatch(each -> each instanceof Decision.Unavailable);
        watches.reset();
        watches.time(4, 60, i -> open.tryAcquireAsync(subject).join());
        assertThat(watches.decisions()).hasSize(240).allMatch(each -> each.allowed() && each.degraded());
        watches.reset();
        watches.time(4, 60, i -> local.tryAcquire(subject));
        assertThat(watches.decisions()).hasSize(240).allMatch(Decision::degraded);
        assertThat(watches.decisions().stream().filter(Decision::allowed).count())
                .as("one was spent, so the share has one less")
                .isEqualTo(SHARE - 1);
        assertThat(watches.longerThan(LONG)).as("checks that took " + LONG).isZero();
    }

    /** Nothing hangs and nothing is off even if Redis is not there from the start. */
    @Test
    void startsWithoutRedis() throws Exception {
        store.close();
        network.refuse();
        guard(RedisStore.builder(RedisURI.create("redis://127.0.0.1:" + network.port()))
                .startDegraded()
                .build());
        long granted = 0;
        for (int i = 0; i < 100; i++) {
            granted += local.tryAcquire("early").allowed() ? 1 : 0;
        }
        assertThat(granted).isEqualTo(SHARE);
        network.pass();
        assertThat(awaitStore(Duration.ofSeconds(20))).isLessThan(RECOVERY);
    }

    /** What Redis granted to those who had been refused already is given back. */
    @Test
    void takesBackWhatCameTooLate() throws Exception {
        awaitStore(Duration.ofSeconds(20));
        network.delay(Duration.ofMillis(150));
        assertThat(closed.tryAcquire("late")).isInstanceOf(Decision.Unavailable.class);
        assertThat(closed.tryAcquire("late")).isInstanceOf(Decision.Unavailable.class);
        long deadline = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (guard.takenBack() < 2) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        network.pass();
        while (closed.peek("late").degraded() || closed.peek("late").remaining() < 40) {
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

    /** Asks until the store decides again, and says how long that took. */
    private Duration awaitStore(Duration atMost) throws InterruptedException {
        long start = System.nanoTime();
        while (closed.peek("anybody").degraded()) {
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(atMost);
            TimeUnit.MILLISECONDS.sleep(5);
        }
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
