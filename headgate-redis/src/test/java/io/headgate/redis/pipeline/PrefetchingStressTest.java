package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.StoreException;
import io.headgate.engine.Grant;
import io.headgate.redis.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Many threads on one key whose calls are delayed, overtake each other, fail before or after they were carried out, while others reset
 * it and change its plan: every permit is used once or given back once, in time, and in the end nothing is left.
 */
class PrefetchingStressTest {

    private static final Key KEY = new Key("api", "everybody");
    private static final Duration LASTS = Duration.ofMillis(20);
    private static final int THREADS = 8;
    private static final long RUNS_MILLIS = Seeds.rounds(1_000);

    private static final Plan[] PLANS = {Plan.parse("3000/h"), Plan.parse("4000/h")};

    private final ScheduledExecutorService network = Executors.newScheduledThreadPool(4);
    private final Budget budget = new Budget();
    private final AtomicInteger alarms = new AtomicInteger();
    private final AtomicInteger mostAlarms = new AtomicInteger();
    private final AtomicInteger underWay = new AtomicInteger();

    private final AtomicInteger plan = new AtomicInteger();
    private final AtomicLong quietUntil = new AtomicLong(System.nanoTime());
    private final AtomicLong resetDone = new AtomicLong(-1);
    private final AtomicInteger prefetched = new AtomicInteger();
    private final AtomicInteger failed = new AtomicInteger();
    private final AtomicInteger late = new AtomicInteger();
    private final AtomicInteger stale = new AtomicInteger();

    /** One permit, and what became of it. */
    private static final class Charge {

        final long sentNanos;
        final long turn;
        final AtomicInteger used = new AtomicInteger();
        final AtomicInteger refunds = new AtomicInteger();

        Charge(long sentNanos, long turn) {
            this.sentNanos = sentNanos;
            this.turn = turn;
        }
    }

    /** A budget, and every permit that was granted from it. */
    private final class Budget implements TestCalls {

        private static final int BUDGET = 3_000;

        final Queue<Charge> delivered = new ConcurrentLinkedQueue<>();
        final AtomicLong lastResetTurn = new AtomicLong(-1);
        volatile boolean calm;

        private long turn;
        private long spent;

        @Override
        public CompletableFuture<List<Decision>> run(Key key, Plan plan, List<Operation> operations) {
            long sent = System.nanoTime();
            ThreadLocalRandom random = ThreadLocalRandom.current();
            boolean refunds = operations.get(0) instanceof Operation.Refund;
            int luck = calm || refunds ? 1_000 : random.nextInt(1_000);
            if (luck == 0) {
                throw new StoreException("not even sent");
            }
            CompletableFuture<List<Decision>> answer = new CompletableFuture<>();
            underWay.incrementAndGet();
            answer.whenComplete((decisions, failure) -> underWay.decrementAndGet());
            if (luck == 1) {
                network.schedule(
                        () -> answer.completeExceptionally(new StoreException("rejected")),
                        delay(),
                        TimeUnit.MICROSECONDS);
                return answer;
            }
            network.schedule(
                    () -> {
                        List<Decision> decisions = carryOut(plan, operations, sent);
                        long back = luck == 2 ? LASTS.toNanos() / 1_000 + 2_000 : delay();
                        network.schedule(
                                () -> {
                                    if (luck == 3) {
                                        answer.completeExceptionally(new StoreException("the answer was lost"));
                                    } else {
                                        for (Decision each : decisions) {
                                            if (each instanceof Grant grant && grant.stamp() instanceof Charge ours) {
                                                delivered.add(ours);
                                            }
                                        }
                                        answer.complete(decisions);
                                    }
                                },
                                back,
                                TimeUnit.MICROSECONDS);
                    },
                    delay(),
                    TimeUnit.MICROSECONDS);
            return answer;
        }

        private synchronized List<Decision> carryOut(Plan plan, List<Operation> operations, long sent) {
            List<Decision> decisions = new ArrayList<>();
            Limit limit = plan.limits().get(0);
            for (Operation each : operations) {
                turn++;
                if (each instanceof Operation.Take && spent == BUDGET) {
                    decisions.add(new Decision.Denied(limit, 0, 1_000, 1_000, List.of()));
                    continue;
                }
                Object grant = null;
                if (each instanceof Operation.Take) {
                    spent++;
                    grant = new Charge(sent, turn);
                } else if (each instanceof Operation.Reset) {
                    spent = 0;
                    lastResetTurn.set(turn);
                    grant = turn;
                } else if (each instanceof Operation.Refund refund
                        && Grant.madeByAStore(refund.receipt()).stamp() instanceof Charge back) {
                    assertThat(Grant.madeByAStore(refund.receipt()).claimRefund())
                            .isOne();
                    back.refunds.incrementAndGet();
                    if (back.turn > lastResetTurn.get()) {
                        spent--;
                    }
                }
                decisions.add(Grant.of(limit, KEY.subject(), 1, BUDGET - spent, 1_000, 1_000, grant));
            }
            return decisions;
        }

        private long delay() {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            return random.nextInt(10) == 0 ? random.nextInt(3_000) : random.nextInt(200);
        }
    }

    private void after(long nanos, Runnable then) {
        mostAlarms.accumulateAndGet(alarms.incrementAndGet(), Math::max);
        network.schedule(
                () -> {
                    alarms.decrementAndGet();
                    then.run();
                },
                nanos + ThreadLocalRandom.current().nextInt(500_000),
                TimeUnit.NANOSECONDS);
    }

    @AfterEach
    void stop() {
        network.shutdownNow();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void usesOrGivesBackEveryPermitOnce(boolean coalescing) throws Exception {
        Prefetching prefetching = new Prefetching(System::nanoTime, this::after, LASTS);
        Coalescer coalescer = new Coalescer(System::nanoTime, Duration.ofHours(1));
        List<Ledger> ledgers = Stream.of(PLANS)
                .map(budget::of)
                .map(calls -> prefetching.over(
                        KEY.scope(),
                        calls,
                        coalescing
                                ? coalescer.over(KEY.scope(), calls)
                                : calls.separately(KEY.scope(), System::nanoTime)))
                .toList();
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(RUNS_MILLIS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(new Thread(() -> {
                while (System.nanoTime() < end) {
                    try {
                        step(ledgers);
                    } catch (CompletionException | StoreException e) {
                        failed.incrementAndGet(); // as it was meant to
                    }
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread each : threads) {
            each.join();
        }
        budget.calm = true;
        long patience = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
        while ((prefetching.keys() > 0 || alarms.get() > 0 || underWay.get() > 0) && System.nanoTime() < patience) {
            LockSupport.parkNanos(1_000_000);
        }
        assertThat(prefetching.keys()).as("keys with prefetched permits").isZero();
        assertThat(alarms).as("alarms").hasValue(0);
        assertThat(mostAlarms).as("alarms at a time").hasValueLessThanOrEqualTo(THREADS);
        assertThat(prefetched).as("from prefetched permits").hasValueGreaterThan(0);
        assertThat(late).as("used too late").hasValue(0);
        assertThat(stale).as("charged before a reset and used after it").hasValue(0);
        assertThat(budget.delivered)
                .as("used once, or given back once")
                .allMatch(each -> each.used.get() + each.refunds.get() == 1);
    }

    private void step(List<Ledger> ledgers) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        while (System.nanoTime() - quietUntil.get() < 0) {
            Thread.onSpinWait(); // so that permits grow old, and somebody comes just then
        }
        int dice = random.nextInt(20_000);
        if (dice < 10) {
            Grant reset = (Grant) ledgers.get(plan.get()).apply(KEY.subject(), Operation.RESET);
            resetDone.accumulateAndGet((Long) reset.stamp(), Math::max);
        } else if (dice < 14) {
            plan.accumulateAndGet(1, (now, one) -> now ^ one);
        } else if (dice < 34) {
            quietUntil.set(System.nanoTime() + LASTS.toNanos() - 1_000_000 + random.nextInt(3_000_000));
        } else if (dice < 44) {
            LockSupport.parkNanos(random.nextInt(30_000_000));
        } else {
            take(ledgers.get(plan.get()));
        }
    }

    private void take(Ledger ledger) {
        long resetBefore = resetDone.get();
        long begun = System.nanoTime();
        Decision decision = ledger.apply(KEY.subject(), Operation.ONE);
        if (decision instanceof Grant granted && granted.stamp() instanceof Charge grant) {
            grant.used.incrementAndGet();
            stale.addAndGet(grant.turn < resetBefore ? 1 : 0);
            late.addAndGet(begun - grant.sentNanos >= LASTS.toNanos() ? 1 : 0);
            prefetched.addAndGet(grant.sentNanos < begun ? 1 : 0);
        } else {
            LockSupport.parkNanos(200_000);
        }
    }
}
