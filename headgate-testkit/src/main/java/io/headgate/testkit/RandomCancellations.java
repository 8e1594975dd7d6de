package io.headgate.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.RateLimiter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/**
 * Callers that come, wait and leave at random, on one key of one or several limiters. In the end, everything that was allowed is held
 * against the limits.
 */
final class RandomCancellations {

    private static final int LARGEST_COST = 3;

    private final RateLimiter[] limiters;
    private final String key;
    private final StoreClock time;
    private final Random random;
    private final List<CompletableFuture<Decision>> waiters = new ArrayList<>();
    private final List<Start> starts = Collections.synchronizedList(new ArrayList<>());
    private final int largestCost;
    private final boolean answersAtOnce;

    /** When a request was allowed to start, and when it was told to at first. */
    private record Start(long atMicros, long cost, long latestMicros) {}

    /**
     * @param answersAtOnce whether the store does. Else people cross: whoever leaves while the next one's request is under way leaves
     *     a gap, behind which a slot may be later than the wait that others are told
     */
    RandomCancellations(RateLimiter[] limiters, String key, StoreClock time, Random random, boolean answersAtOnce) {
        this.answersAtOnce = answersAtOnce;
        this.limiters = limiters;
        this.key = key;
        this.time = time;
        this.random = random;
        long capacity = limits().stream().mapToLong(Limit::burst).min().orElseThrow();
        this.largestCost = random.nextBoolean() ? 1 : (int) Math.min(LARGEST_COST, capacity);
    }

    /** Limits separated by a plus, with a word of their own for leaky buckets. */
    static Limit[] parse(String limits) {
        return Arrays.stream(limits.split(" \\+ ", -1))
                .map(each -> each.endsWith(" leaky")
                        ? Limit.parse(each.substring(0, each.length() - 6)).using("leaky-bucket")
                        : Limit.parse(each))
                .toArray(Limit[]::new);
    }

    void run() {
        for (int step = 0; step < 150; step++) {
            switch (random.nextInt(10)) {
                case 0, 1, 2, 3 -> arrive();
                case 4, 5, 6 -> leave();
                case 7 -> ask();
                default -> time.advance(Duration.of(random.nextLong(2 * slotMicros()), ChronoUnit.MICROS));
            }
            if (random.nextInt(40) == 0) {
                allLeave();
            }
        }
        allLeave();
        check();
    }

    private List<Limit> limits() {
        return limiters[0].plan().limits();
    }

    private RateLimiter any() {
        return limiters[random.nextInt(limiters.length)];
    }

    private long slotMicros() {
        return limits().get(0).periodMicros() / limits().get(0).permits();
    }

    private void arrive() {
        long cost = 1L + random.nextInt(largestCost);
        Decision seen = any().peek(key, cost);
        long latest = time.nowMicros() + (seen instanceof Decision.Denied denied ? denied.retryAfterMicros() : 0);
        CompletableFuture<Decision> waiter = any().acquireAsync(key, cost, Duration.ofHours(1));
        waiter.thenAccept(decision -> {
            if (decision.allowed()) {
                starts.add(new Start(time.nowMicros(), cost, latest));
            }
        });
        waiters.add(waiter);
    }

    private void leave() {
        waiters.removeIf(CompletableFuture::isDone);
        if (!waiters.isEmpty()) {
            waiters.remove(random.nextInt(waiters.size())).cancel(false);
        }
    }

    private void ask() {
        if (any().tryAcquire(key).allowed()) {
            starts.add(new Start(time.nowMicros(), 1, time.nowMicros()));
        }
    }

    /** Nothing is reserved then: a caller waits for what has started at most. */
    private void allLeave() {
        while (!waiters.isEmpty()) {
            leave();
        }
        Decision decision = any().peek(key);
        if (limits().size() == 1 && decision instanceof Decision.Denied denied) {
            boolean leaky = limits().get(0).algorithm().equals("leaky-bucket");
            assertThat(denied.retryAfterMicros())
                    .as("wait of %s after all have left", limits())
                    .isLessThanOrEqualTo((slotMicros() + 1) * (leaky ? largestCost : 1));
        }
    }

    private void check() {
        starts.sort(Comparator.comparingLong(Start::atMicros));
        if (answersAtOnce
                && limiters.length == 1
                && limits().size() == 1
                && largestCost == 1) { // else a slot may be later than the wait told
            assertThat(starts).allSatisfy(start -> assertThat(start.atMicros).isLessThanOrEqualTo(start.latestMicros));
        }
        limits().forEach(limit -> {
            if (limit.algorithm().equals("leaky-bucket")) {
                checkSpaces(limit);
            } else if (limits().size() == 1) {
                checkLevel(limit);
            } else {
                checkIntervals(
                        limit); // a start that another limit has put off need not be at a whole permit of this one
            }
        });
    }

    private void checkSpaces(Limit limit) {
        for (int i = 1; i < starts.size(); i++) {
            Start one = starts.get(i - 1);
            assertThat((starts.get(i).atMicros - one.atMicros + 1) * limit.permits())
                    .as("start %d after %s of %s", i, one, limit)
                    .isGreaterThan(one.cost * limit.periodMicros());
        }
    }

    /** A bucket of its own that each request enters as it starts never overflows. */
    private void checkLevel(Limit limit) {
        long level = 0;
        long at = 0;
        for (Start start : starts) {
            level = Math.max(0, level - (start.atMicros - at) * limit.permits()) + start.cost * limit.periodMicros();
            at = start.atMicros;
            assertThat(level)
                    .as("level of %s after %s", limit, start)
                    .isLessThanOrEqualTo(limit.burst() * limit.periodMicros());
        }
    }

    /** An interval with the most in it begins with a start. */
    private void checkIntervals(Limit limit) {
        for (Start first : starts) {
            long sum = starts.stream()
                    .filter(each ->
                            each.atMicros >= first.atMicros && each.atMicros < first.atMicros + limit.periodMicros())
                    .mapToLong(Start::cost)
                    .sum();
            assertThat(sum).as("%s after %s", limit, first).isLessThanOrEqualTo(limit.burst() + limit.permits());
        }
    }
}
