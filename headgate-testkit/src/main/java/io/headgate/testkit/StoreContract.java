package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.Standing;
import io.headgate.Store;
import io.headgate.Window;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What every store must do: extend this class and open yours.
 *
 * <p>A store that takes its time from a {@link io.headgate.TimeSource} is given a {@link ManualTime}. One with a clock of its own
 * says so through {@link #clockwork}; what needs time to stand still is then skipped.
 */
public abstract class StoreContract {

    private static final String EACH_ALGORITHM = "io.headgate.testkit.StoreContract#algorithms";

    private static final int THREADS = 64;

    private @Nullable Clockwork time;
    private @Nullable Store store;

    /** A new store, with nothing in it, that knows these algorithms and keeps this time. */
    protected abstract Store open(Algorithms algorithms, Clockwork time) throws Exception;

    /** The time of the store under test. */
    protected Clockwork clockwork() {
        return new ManualTime();
    }

    /** Closes the store after a test. */
    protected void close(Store store) throws Exception {
        if (store instanceof AutoCloseable closeable) {
            closeable.close();
        }
    }

    @BeforeEach
    void openStore() throws Exception {
        time = clockwork();
        store = open(Headgate.algorithms().with(new Quota()), time);
    }

    @AfterEach
    void closeStore() throws Exception {
        close(store());
    }

    static Stream<String> algorithms() {
        return Stream.of(
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window-log",
                "sliding-window-counter",
                "sliding-window",
                "quota");
    }

    // The verbs

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void admitsUpToTheLimitAndThenDenies(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        long atOnce = atOnce(algorithm, 5);
        for (long left = atOnce - 1; left >= 0; left--) {
            assertThat(limiter.tryAcquire("alice")).isAllowed().hasRemaining(left);
        }
        assertThat(limiter.tryAcquire("alice")).isDenied().hasRemaining(0);
        assertThat(limiter.tryAcquire("bob")).isAllowed();
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void takesAllOfACostOrNothing(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        assertThat(limiter.tryAcquire("alice", 3)).isAllowed();
        assertThat(limiter.tryAcquire("alice", 3)).isDenied();
        assertThat(limiter.peek("alice")).hasRemaining(algorithm.equals("leaky-bucket") ? 0 : 2);
    }

    /** CATALOGUE C4, T9. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void saysThatWaitingDoesNotHelp(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        assertThat(limiter.tryAcquire("alice", 6)).isImpossible().hasRemaining(5);
        assertThat(limiter.acquireAsync("alice", 6, Duration.ofDays(9)).join()).isImpossible();
        assertThat(limiter.peek("alice", Long.MAX_VALUE)).isImpossible().hasRemaining(5);
        assertThat(limiter("0/day", algorithm).tryAcquire("bob")).isImpossible().hasRemaining(0);
        assertThat(limiter("0/day", algorithm).peek("alice")).isImpossible().hasRemaining(0);
    }

    /** CATALOGUE C5. */
    @Test
    public void refusesACostBelowOneAndAnEmptyKey() {
        RateLimiter limiter = limiter("5/day", "token-bucket");
        for (long cost : new long[] {0, -1, Long.MIN_VALUE}) {
            assertThatThrownBy(() -> limiter.tryAcquire("alice", cost)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> limiter.peek("alice", cost)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> limiter.tryAcquire("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(limiter.peek("alice")).hasRemaining(5);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void spendsNothingOnAPeek(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        for (int i = 0; i < 20; i++) {
            assertThat(limiter.peek("alice", 5)).isAllowed().hasRemaining(5);
        }
        limiter.tryAcquire("alice", 5);
        for (int i = 0; i < 20; i++) {
            assertThat(limiter.peek("alice")).isDenied().hasRemaining(0);
        }
        limiter.reset("alice");
        Decision peeked = limiter.peek("alice");
        limiter.refund((Decision.Allowed) peeked); // the receipt of nothing
        assertThat(limiter.peek("alice")).hasRemaining(5);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void givesTheWholeBudgetBackOnAReset(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        limiter.tryAcquire("alice", 5);
        limiter.tryAcquire("bob", 5);
        limiter.reset("alice");
        assertThat(limiter.peek("alice")).isAllowed().hasRemaining(5);
        assertThat(limiter.tryAcquire("alice", 5)).isAllowed();
        assertThat(limiter.peek("bob")).isDenied();
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void takesACharegBackOnce(String algorithm) {
        assumeTrue(refunds(algorithm), "never refunds");
        RateLimiter limiter = limiter("9/day", algorithm);
        Decision.Allowed other = granted(limiter.tryAcquire("alice", 2));
        limiter.refund(other);
        limiter.tryAcquire("alice", algorithm.equals("leaky-bucket") ? 4 : 2);
        Decision.Allowed receipt = granted(limiter.peek("alice").allowed() ? limiter.tryAcquire("alice", 3) : other);
        long before = limiter.peek("alice").remaining();
        limiter.refund(receipt);
        long after = limiter.peek("alice").remaining();
        limiter.refund(receipt);
        limiter.refund(other);
        assertThat(after - before).isEqualTo(algorithm.equals("leaky-bucket") ? 0 : 3);
        assertThat(limiter.peek("alice")).hasRemaining(after);
        assertThat(receipt.subject()).isEqualTo("alice");
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void takesBackNothingAfterAReset(String algorithm) {
        RateLimiter limiter = limiter("9/day", algorithm);
        Decision.Allowed receipt = granted(limiter.tryAcquire("alice", 4));
        limiter.reset("alice");
        time().advance(Duration.of(1, ChronoUnit.MICROS));
        limiter.tryAcquire("alice", 4);
        long before = limiter.peek("alice").remaining();
        limiter.refund(receipt);
        assertThat(limiter.peek("alice")).hasRemaining(before);
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void answersTheSameWithoutHoldingAThread(String algorithm) {
        RateLimiter limiter = limiter("5/day", algorithm);
        Decision taken = limiter.tryAcquireAsync("alice", 5).join();
        assertThat(taken).isAllowed().hasRemaining(0);
        assertThat(limiter.tryAcquireAsync("alice").join()).isDenied();
        assertThat(limiter.peekAsync("alice", 6).join()).isImpossible();
        limiter.resetAsync("alice").join();
        assertThat(limiter.peekAsync("alice", 1).join()).isAllowed().hasRemaining(5);
        if (refunds(algorithm)) {
            limiter.refundAsync(granted(limiter.tryAcquireAsync("alice", 5).join()))
                    .join();
            assertThat(limiter.peek("alice")).hasRemaining(5);
        }
    }

    @Test
    public void refusesAPlanItCannotKeep() {
        List<Limit> bad = List.of(
                Limit.parse("5/min").using("no-such-algorithm"),
                Limit.parse("5/min burst 7").using("fixed-window"),
                Limit.parse("5/min burst 7").using("leaky-bucket"),
                Limit.parse("100000/min").using("sliding-window-log"),
                Limit.parse("5 per calendar-day Europe/Berlin").using("token-bucket"));
        for (Limit limit : bad) {
            assertThatThrownBy(() -> limiter("bad", limit))
                    .as("%s", limit)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(limit.algorithm());
        }
    }

    // Plans

    /** CATALOGUE A3: a denial leaves every limit as it was. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void chargesNoLimitWhenOneDenies(String algorithm) {
        Limit wide = Limit.parse("100/day").using(algorithm).named("wide");
        Limit narrow = Limit.parse("3/day").using("fixed-window").named("narrow");
        RateLimiter limiter = limiter("plan", wide, narrow);
        assertThat(limiter.tryAcquire("alice", 3)).isAllowed().hasRemaining(0);
        List<Long> before = remaining(limiter.peek("alice"));
        for (int i = 0; i < 50; i++) {
            assertThat(limiter.tryAcquire("alice", 2)).isDenied();
        }
        assertThat(remaining(limiter.peek("alice"))).isEqualTo(before);
    }

    /** CATALOGUE C6: two limits on one subject both hold, and the one that decides is named. */
    @Test
    public void namesTheLimitThatDecides() {
        Limit minute = Limit.parse("4/h").using("sliding-window-log").named("hourly");
        Limit day = Limit.parse("6/day").using("token-bucket").named("daily");
        RateLimiter limiter = limiter("plan", minute, day);
        assertThat(limiter.tryAcquire("alice", 3)).isAllowed().hasRemaining(1).wasDecidedBy(minute);
        assertThat(limiter.tryAcquire("alice", 4)).isDenied().hasRemaining(1).wasDecidedBy(day); // waits longest
        assertThat(limiter.tryAcquire("alice", 5))
                .isImpossible()
                .hasRemaining(1)
                .wasDecidedBy(minute);
        assertThat(limiter.tryAcquire("alice", 7)).isImpossible().wasDecidedBy(minute);
        Decision last = limiter.tryAcquire("alice");
        assertThat(last).isAllowed().hasRemaining(0).wasDecidedBy(minute);
        assertThat(last.limits().stream().map(Standing::limit)).containsExactly(minute, day);
        assertThat(remaining(last)).containsExactly(0L, 2L);
        Decision denied = limiter.tryAcquire("alice");
        assertThat(denied).isDenied().wasDecidedBy(minute);
        assertThat(denied.limits().get(1).retryAfter()).isZero();
    }

    @Test
    public void takesACharegBackFromEveryLimit() {
        RateLimiter limiter = limiter(
                "plan",
                Limit.parse("9/day"),
                Limit.parse("8/day").using("fixed-window"),
                Limit.parse("7/day").using("sliding-window-log"),
                Limit.parse("6/day").using("sliding-window-counter"),
                Limit.parse("5/day").using("sliding-window"));
        Decision.Allowed first = granted(limiter.tryAcquire("alice", 2));
        limiter.tryAcquire("alice", 1);
        limiter.refund(first);
        limiter.refund(first);
        assertThat(remaining(limiter.peek("alice"))).containsExactly(8L, 7L, 6L, 5L, 4L);
        limiter.reset("alice");
        assertThat(remaining(limiter.peek("alice"))).containsExactly(9L, 8L, 7L, 6L, 5L);
    }

    // Keys

    /** CATALOGUE C8, C9, C10, K03, K04, K06. */
    @Test
    public void keepsKeysApart() {
        List<String> names = List.of(
                "a",
                "a.b",
                "a:b",
                "b",
                "b.c",
                ":",
                "::",
                "{a}",
                "{a",
                "a}",
                "{}",
                "a\r\nb",
                "a\nb",
                "a\0",
                "\0",
                " ",
                "*",
                "%00",
                "null",
                "____EMPTY_KEY__",
                "\u00e9",
                "e\u0301",
                "\ud83d\ude00",
                "\ud83d",
                "A",
                "x".repeat(10_000),
                "x".repeat(9_999) + "y",
                "a,b",
                "a|b",
                "a\\b",
                "1",
                "01");
        List<RateLimiter> limiters = new ArrayList<>();
        for (String scope : names) {
            limiters.add(headgate().limiter(scope, Plan.of(Limit.parse("1/day").using("fixed-window"))));
        }
        for (RateLimiter limiter : limiters) {
            for (String subject : names) {
                assertThat(limiter.tryAcquire(subject))
                        .as("%s, %s", limiter.scope(), subject)
                        .isAllowed();
            }
        }
        for (RateLimiter limiter : limiters) {
            for (String subject : names) {
                assertThat(limiter.tryAcquire(subject))
                        .as("%s, %s", limiter.scope(), subject)
                        .isDenied();
            }
        }
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void sharesWhatWasSpentBetweenLimitersOfOneScope(String algorithm) {
        Limit limit = Limit.parse("5/day").using(algorithm);
        limiter("shared", limit).tryAcquire("alice", 5);
        assertThat(limiter("shared", Limit.parse("5/day").using(algorithm)).tryAcquire("alice"))
                .isDenied();
        assertThat(limiter("other", limit).tryAcquire("alice")).isAllowed();
    }

    // Changes

    /** CATALOGUE A11. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void keepsWhatWasSpentWhenTheLimitChanges(String algorithm) {
        assumeTrue(!algorithm.equals("leaky-bucket"), "holds no balance");
        limiter("5/day", algorithm).tryAcquire("alice", 4);
        assertThat(limiter("5/day", algorithm).peek("alice")).hasRemaining(1);
        assertThat(limiter("9/day", algorithm).peek("alice")).isAllowed().hasRemaining(5);
        assertThat(limiter("3/day", algorithm).peek("alice")).isDenied().hasRemaining(0);
        assertThat(limiter("9/day", algorithm).tryAcquire("alice", 5))
                .isAllowed()
                .hasRemaining(0);
        assertThat(limiter("10/day", algorithm).tryAcquire("alice", 1))
                .isAllowed()
                .hasRemaining(0);
        assertThat(limiter("10 per 48h", algorithm).tryAcquire("alice", 1)).isDenied();
        assertThat(limiter("20 per 12h", algorithm).peek("alice")).hasRemaining(10);
    }

    @Test
    public void startsAnewUnderAnotherAlgorithmOrName() {
        limiter("5/day", "token-bucket").tryAcquire("alice", 4);
        assertThat(limiter("5/day", "fixed-window").peek("alice")).hasRemaining(5);
        limiter("plan", Limit.parse("5/day").named("one")).tryAcquire("alice", 4);
        assertThat(limiter("plan", Limit.parse("5/day").named("two")).peek("alice"))
                .hasRemaining(5);
    }

    @Test
    public void carriesEachLimitOverByItsName() {
        Limit one = Limit.parse("5/day").named("one");
        Limit two = Limit.parse("6/day").named("two");
        limiter("plan", one, two).tryAcquire("alice", 4);
        assertThat(remaining(limiter("plan", two, one).peek("alice"))).containsExactly(2L, 1L);
        Limit three = Limit.parse("7/day").named("three");
        assertThat(remaining(limiter("plan", three, one).peek("alice"))).containsExactly(7L, 1L);
    }

    // Many at once

    /** CATALOGUE A1. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void admitsExactlyTheLimitToManyThreadsOnOneKey(String algorithm) throws Exception {
        RateLimiter limiter = limiter("1000/day", algorithm);
        AtomicLong admitted = new AtomicLong();
        inThreads(thread -> {
            for (int i = 0; i < 30; i++) {
                admitted.addAndGet(limiter.tryAcquire("hot").allowed() ? 1 : 0);
            }
        });
        assertThat(admitted.get()).isEqualTo(atOnce(algorithm, 1000));
    }

    /** CATALOGUE A1. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void admitsExactlyTheLimitToManyThreadsOnManyKeys(String algorithm) throws Exception {
        RateLimiter limiter = limiter("10/day", algorithm);
        int keys = 50;
        AtomicLong[] admitted = Stream.generate(AtomicLong::new).limit(keys).toArray(AtomicLong[]::new);
        inThreads(thread -> {
            for (int i = 0; i < keys; i++) {
                int key = (i * 7 + thread) % keys;
                admitted[key].addAndGet(limiter.tryAcquire("key " + key).allowed() ? 1 : 0);
            }
        });
        assertThat(admitted).allSatisfy(count -> assertThat(count.get()).isEqualTo(atOnce(algorithm, 10)));
    }

    /** CATALOGUE A1: under several limits, with costs, and with some given back. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void losesNoPermitAndInventsNone(String algorithm) throws Exception {
        assumeTrue(refunds(algorithm) && !algorithm.equals("leaky-bucket"), "holds no balance");
        RateLimiter limiter = limiter(
                "busy",
                Limit.parse("2000/day").using(algorithm),
                Limit.parse("3000/day").using("fixed-window").named("second"));
        AtomicLong spent = new AtomicLong();
        inThreads(thread -> {
            for (int i = 0; i < 20; i++) {
                int cost = 1 + (thread + i) % 5;
                if (limiter.tryAcquire("hot", cost) instanceof Decision.Allowed granted) {
                    spent.addAndGet(cost);
                    if (i % 3 == 0) {
                        limiter.refund(granted);
                        spent.addAndGet(-cost);
                    }
                }
            }
        });
        assertThat(remaining(limiter.peek("hot"))).containsExactly(2000 - spent.get(), 3000 - spent.get());
    }

    @Test
    public void refundsAReceiptOnceToManyThreads() throws Exception {
        RateLimiter limiter = limiter("100/day", "token-bucket");
        limiter.tryAcquire("alice", 50);
        Decision.Allowed receipt = granted(limiter.tryAcquire("alice", 1));
        inThreads(thread -> limiter.refund(receipt));
        assertThat(limiter.peek("alice")).hasRemaining(50);
    }

    /** CATALOGUE T2: while time moves, no more than the burst and what has flowed back. */
    @Test
    public void overAdmitsNobodyWhileTimeMoves() throws Exception {
        needsStillTime();
        RateLimiter limiter = limiter("burst", Limit.parse("1000/s burst 50"));
        long begin = time().nowMicros();
        AtomicLong admitted = new AtomicLong();
        inThreads(thread -> {
            for (int i = 0; i < 50; i++) {
                if (thread == 0) {
                    time().advance(Duration.ofMillis(10));
                }
                admitted.addAndGet(limiter.tryAcquire("hot").allowed() ? 1 : 0);
            }
        });
        assertThat(admitted.get()).isLessThanOrEqualTo(50 + (time().nowMicros() - begin) / 1_000);
    }

    // Time

    /** The same answers, to the microsecond, as the algorithms give when nothing is around them. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void answersAsTheAlgorithmDoes(String algorithm) {
        needsStillTime();
        Random random = Seeds.random(getClass());
        for (int round = 0; round < Seeds.rounds(40); round++) {
            new Comparison(random, algorithm, round).run();
        }
    }

    /** CATALOGUE A4: whoever hammers gets as much as whoever asks only when there is something to get. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void letsThoseWhoHammerHaveTheirShare(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("20 per 10s", algorithm);
        time().advance(Duration.of(10_000_000 - time().nowMicros() % 10_000_000, ChronoUnit.MICROS));
        for (int period = 0; period < 10; period++) {
            int rude = 0;
            int polite = 0;
            for (int attempt = 0; attempt < 200; attempt++) {
                rude += limiter.tryAcquire("rude").allowed() ? 1 : 0;
                polite += limiter.peek("polite").allowed()
                                && limiter.tryAcquire("polite").allowed()
                        ? 1
                        : 0;
                time().advance(Duration.ofMillis(50));
            }
            assertThat(rude).as("admitted in period %d", period).isEqualTo(polite);
            if (algorithm.equals("fixed-window") || algorithm.equals("sliding-window-log")) {
                assertThat(rude).isEqualTo(20);
            }
        }
    }

    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void letsWaitersInWhenTheirTimeComes(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        Duration wait = ((Decision.Denied) limiter.peek("door")).retryAfter();
        CompletableFuture<Decision> waiter = limiter.acquireAsync("door", 1, Duration.ofHours(1));
        time().advance(wait.minus(1, ChronoUnit.MICROS));
        assertThat(waiter).isNotDone();
        time().advance(Duration.of(1, ChronoUnit.MICROS));
        assertThat(waiter.orTimeout(10, TimeUnit.SECONDS).join()).isAllowed();
    }

    /** CATALOGUE A7. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void turnsAwayAtOnceWhoCannotWaitLongEnough(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        Duration wait = ((Decision.Denied) limiter.peek("door")).retryAfter();
        Decision answer = limiter.acquireAsync("door", 1, wait.minus(1, ChronoUnit.MICROS))
                .orTimeout(10, TimeUnit.SECONDS)
                .join();
        assertThat(answer).isDenied().retriesAfter(wait);
    }

    /** CATALOGUE A6: first come, first served, and in the end everybody. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void servesWaitersInTheOrderTheyCame(String algorithm) throws Exception {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        List<Integer> served = Collections.synchronizedList(new ArrayList<>());
        List<CompletableFuture<Void>> waiters = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int place = i;
            waiters.add(
                    limiter.acquireAsync("door", 1 + i % 3, Duration.ofHours(2)).thenAccept(decision -> {
                        assertThat(decision).isAllowed();
                        served.add(place);
                    }));
        }
        for (int i = 0; i < 120 && served.size() < 6; i++) {
            time().advance(Duration.ofMinutes(1));
        }
        CompletableFuture.allOf(waiters.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5);
    }

    /** CATALOGUE A5. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void givesThePermitsOfALeaverBack(String algorithm) {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", algorithm);
        limiter.tryAcquire("door", 4);
        Decision before = limiter.peek("door");
        CompletableFuture<Decision> waiter = limiter.acquireAsync("door", 2, Duration.ofHours(1));
        waiter.cancel(true);
        assertThat(limiter.peek("door").toString()).isEqualTo(before.toString());
        time().advance(Duration.ofHours(1));
        assertThat(limiter.peek("door")).isAllowed().hasRemaining(4);
    }

    /** CATALOGUE A5. */
    @Test
    public void givesThePermitsOfAnInterruptedThreadBack() throws Exception {
        needsStillTime();
        RateLimiter limiter = limiter("4/min", "token-bucket");
        limiter.tryAcquire("door", 4);
        Decision before = limiter.peek("door");
        AtomicLong interrupted = new AtomicLong();
        Thread thread = new Thread(() -> {
            try {
                limiter.acquire("door", 2, Duration.ofHours(1));
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        });
        thread.start();
        while (limiter.peek("door").toString().equals(before.toString())) {
            Thread.onSpinWait(); // until it has reserved its slot
        }
        thread.interrupt();
        thread.join(10_000);
        assertThat(interrupted.get()).isEqualTo(1);
        assertThat(limiter.peek("door").toString()).isEqualTo(before.toString());
    }

    /** Random requests of every kind to the store and to a {@link PlainStore} beside it. */
    private final class Comparison {

        private final Random random;
        private final String algorithm;
        private final Key key;
        private final Store plain;
        private final List<Decision.Allowed[]> receipts = new ArrayList<>();
        private final StringBuilder soFar = new StringBuilder();
        private Plan plan;

        Comparison(Random random, String algorithm, int round) {
            this.random = random;
            this.algorithm = algorithm;
            this.key = new Key("comparison", "subject " + round);
            this.plain = new PlainStore(Headgate.algorithms().with(new Quota()), time());
            this.plan = somePlan();
        }

        private Plan somePlan() {
            long[] periods = {1_000, 7_001, 1_000_000, 3_000_000, 60_000_000, 3_600_000_000L, 86_400_000_000L};
            long permits = 1 + (long) Math.pow(random.nextDouble() * 8, random.nextInt(4) + 1);
            Limit limit = Limit.of(permits)
                    .per(new Window.Span(periods[random.nextInt(periods.length)]))
                    .using(algorithm)
                    .named("first");
            boolean bursts = algorithm.equals(Limit.DEFAULT_ALGORITHM) && random.nextBoolean();
            limit = bursts ? limit.burst(1 + random.nextInt(20)) : limit;
            return random.nextInt(4) > 0
                    ? Plan.of(limit)
                    : Plan.of(Limit.parse("12/min").using("sliding-window-log").named("second"), limit);
        }

        void run() {
            for (int step = 0; step < 60; step++) {
                time().advance(Duration.of(someTime(), ChronoUnit.MICROS));
                if (random.nextInt(20) == 0) {
                    plan = somePlan();
                    receipts.clear(); // how much can be told of an earlier charge is up to the store
                    compare(Operation.ONE, Operation.ONE); // the first request is when a store learns of a change
                }
                compare();
            }
        }

        private void compare() {
            long cost = 1L + random.nextInt((int) Math.min(20, largest() + 1));
            switch (random.nextInt(12)) {
                case 0 -> compare(new Operation.Peek(cost), new Operation.Peek(cost));
                case 1 -> {
                    time().advance(Duration.of(17, ChronoUnit.MICROS)); // what tells charges apart is their time
                    compare(Operation.RESET, Operation.RESET);
                }
                case 2, 3 -> {
                    if (!receipts.isEmpty()) {
                        Decision.Allowed[] both = receipts.remove(random.nextInt(receipts.size()));
                        compare(new Operation.Refund(both[0]), new Operation.Refund(both[1]));
                    }
                }
                case 4 -> {
                    long wait = (long)
                            (random.nextDouble() * 2 * plan.limits().get(0).periodMicros());
                    compare(new Operation.Take(cost, wait), new Operation.Take(cost, wait));
                }
                default -> compare(new Operation.Take(cost, 0), new Operation.Take(cost, 0));
            }
        }

        private void compare(Operation asked, Operation same) {
            Decision answer = store().apply(key, plan, asked);
            Decision right = plain.apply(key, plan, same);
            soFar.append("\n  ")
                    .append(time().nowMicros())
                    .append(' ')
                    .append(asked)
                    .append(" under ")
                    .append(plan);
            soFar.append("\n    -> ").append(answer);
            assertThat(describe(answer)).as("%s\n", soFar).isEqualTo(describe(right));
            if (answer instanceof Decision.Allowed one
                    && right instanceof Decision.Allowed other
                    && one.refundable() > 0) {
                receipts.add(new Decision.Allowed[] {one, other});
            }
        }

        private String describe(Decision decision) {
            String delay = decision instanceof Decision.Allowed allowed ? " delay " + allowed.delay() : "";
            return decision.getClass().getSimpleName().replaceFirst("^(Packed|Detailed)", "") + delay + " "
                    + decision.limit() + " " + decision.remaining() + " " + decision.resetAfter() + " "
                    + decision.limits();
        }

        private long largest() {
            return plan.limits().stream().mapToLong(Limit::burst).min().orElseThrow();
        }

        private long someTime() {
            Limit limit = plan.limits().get(plan.limits().size() - 1);
            return switch (random.nextInt(6)) {
                case 0, 1 -> 0;
                case 2 -> 1;
                case 3 -> (long) (random.nextDouble() * 2 * limit.periodMicros() / limit.permits());
                case 4 -> (long) (random.nextDouble() * limit.periodMicros());
                default -> random.nextInt(4) > 0 ? 1_000 : limit.periodMicros() * random.nextInt(5);
            };
        }
    }

    // How the tests speak

    private Store store() {
        return Objects.requireNonNull(store);
    }

    private Clockwork time() {
        return Objects.requireNonNull(time);
    }

    private void needsStillTime() {
        assumeTrue(time().standsStill(), "this store keeps a time of its own");
    }

    private Headgate headgate() {
        return Headgate.builder().store(store()).timeSource(time()).build();
    }

    private RateLimiter limiter(String limit, String algorithm) {
        return limiter(
                "scope of " + algorithm, Limit.parse(limit).using(algorithm).named("limit"));
    }

    private RateLimiter limiter(String scope, Limit... limits) {
        return headgate().limiter(scope, Plan.of(limits));
    }

    /** How many requests for one permit are admitted at the same time. */
    private static long atOnce(String algorithm, long permits) {
        return algorithm.equals("leaky-bucket") ? 1 : permits;
    }

    private static boolean refunds(String algorithm) {
        return !algorithm.equals("quota");
    }

    private static Decision.Allowed granted(Decision decision) {
        assertThat(decision).isAllowed();
        return (Decision.Allowed) decision;
    }

    private static List<Long> remaining(Decision decision) {
        return decision.limits().stream().map(Standing::remaining).toList();
    }

    private interface Task {
        void run(int thread) throws Exception;
    }

    private static void inThreads(Task task) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            CountDownLatch start = new CountDownLatch(THREADS);
            List<Callable<Void>> tasks = IntStream.range(0, THREADS)
                    .<Callable<Void>>mapToObj(thread -> () -> {
                        start.countDown();
                        start.await();
                        task.run(thread);
                        return null;
                    })
                    .toList();
            for (Future<Void> done : threads.invokeAll(tasks)) {
                done.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
