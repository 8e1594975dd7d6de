package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Many threads at once: which operations share a call is {@link CoalescerTest}'s business. */
class CoalescerCrowdTest {

    private static final Key KEY = new Key("login", "alice");
    private static final Plan PLAN = Plan.parse("100/min");

    /**
     * Many threads, few keys, a backend that answers on threads of its own: one call of a key at a time, everybody answered
     * once, nobody left behind, each thread's requests in its order.
     */
    @Test
    void manyThreadsAreAllServed() throws Exception {
        int threads = 16;
        int each = Seeds.rounds(20_000);
        List<Key> keys = List.of(KEY, new Key("login", "bob"), new Key("login", "carol"));
        ConcurrentHashMap<Key, AtomicInteger> underWay = new ConcurrentHashMap<>();
        ConcurrentHashMap<Key, AtomicLong> carriedOut = new ConcurrentHashMap<>();
        AtomicInteger overlaps = new AtomicInteger();
        AtomicInteger calls = new AtomicInteger();
        ExecutorService network = Executors.newFixedThreadPool(2);
        ExecutorService callers = Executors.newFixedThreadPool(threads);
        try {
            TestCalls counting = (key, plan, operations) -> {
                calls.incrementAndGet();
                AtomicInteger now = underWay.computeIfAbsent(key, missing -> new AtomicInteger());
                if (now.incrementAndGet() > 1) {
                    overlaps.incrementAndGet();
                }
                return CompletableFuture.supplyAsync(
                        () -> {
                            List<Decision> answers = new ArrayList<>();
                            for (int i = 0; i < operations.size(); i++) {
                                long number = carriedOut
                                        .computeIfAbsent(key, missing -> new AtomicLong())
                                        .incrementAndGet();
                                answers.add(new Decision.Denied(PLAN.limits().get(0), number, 1, 1, List.of()));
                            }
                            now.decrementAndGet();
                            return answers;
                        },
                        network);
            };
            Coalescer shared = new Coalescer(System::nanoTime, Duration.ofHours(1));
            List<CompletableFuture<Void>> done = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                Key key = keys.get(thread % keys.size());
                done.add(CompletableFuture.runAsync(
                        () -> callInOrder(shared.over(key.scope(), counting.of(PLAN)), key.subject(), each), callers));
            }
            for (CompletableFuture<Void> one : done) {
                one.get(60, TimeUnit.SECONDS);
            }
            assertThat(overlaps).hasValue(0);
            assertThat(carriedOut.values().stream().mapToLong(AtomicLong::get).sum())
                    .isEqualTo((long) threads * each);
            assertThat(calls.get()).isLessThan(threads * each);
            assertThat(shared.busyKeys()).isZero();
        } finally {
            callers.shutdownNow();
            network.shutdownNow();
        }
    }

    /** Up to three at a time; each is numbered when it is carried out, so the numbers must rise. */
    private static void callInOrder(Ledger ledger, String subject, int count) {
        long last = 0;
        for (int i = 0; i < count; ) {
            List<CompletableFuture<Decision>> few = new ArrayList<>();
            for (int j = 0; j < 1 + i % 3 && i < count; j++, i++) {
                few.add(ledger.applyAsync(subject, Operation.ONE));
            }
            for (CompletableFuture<Decision> one : few) {
                long number = one.join().remaining();
                if (number <= last) {
                    throw new AssertionError(number + " after " + last);
                }
                last = number;
            }
        }
    }
}
