package io.headgate.benchmarks;

import com.google.common.util.concurrent.RateLimiter;
import io.github.bucket4j.Bucket;
import io.github.bucket4j.ConsumptionProbe;
import io.github.bucket4j.local.LocalBucketBuilder;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.github.resilience4j.ratelimiter.internal.AtomicRateLimiter;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.TimeSource;
import io.headgate.caffeine.CaffeineStore;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/** The limiters to compare, each set up as its documentation shows first, with the budget of the scenario. */
public enum Contender {

    /** The minimum work of an in-process limiter: a clock reading, a lookup and one compare-and-set. */
    FLOOR("floor: clock, lookup, one CAS") {
        @Override
        Limiter limiter(Budget budget) {
            boolean answer = budget != Budget.TINY;
            return new PerKey<>(AtomicLong::new, (cell, hole) -> {
                long before = cell.get();
                hole.consume(cell.compareAndSet(before, System.nanoTime()));
                return answer;
            });
        }
    },

    /** The floor with the compare-and-set repeated until it succeeds: the cost of a hot key if no request may be lost. */
    FLOOR_RETRIED("floor, CAS until it wins") {
        @Override
        Limiter limiter(Budget budget) {
            return new PerKey<>(AtomicLong::new, (cell, hole) -> {
                long before = cell.get();
                while (!cell.compareAndSet(before, System.nanoTime())) {
                    before = cell.get();
                }
                return true;
            });
        }
    },

    TOKEN_BUCKET("**Headgate** `token-bucket`") {
        @Override
        Limiter limiter(Budget budget) {
            Limit[] limits = new Limit[budget.limits];
            Arrays.setAll(limits, i -> bucket(budget).burst(budget.permits(i)).named("limit-" + i));
            return headgate(Plan.of(limits), TimeSource.system());
        }
    },

    /** A token bucket whose numbers have no common divisor, so that its state does not fit into one word. */
    TOKEN_BUCKET_ODD("**Headgate** `token-bucket`, 1,234,567/s") {
        @Override
        Limiter limiter(Budget budget) {
            Limit odd = Limit.of(1_234_567).per(Duration.ofSeconds(1)).burst(budget.permits);
            return headgate(odd, TimeSource.system());
        }
    },

    FIXED_WINDOW("**Headgate** `fixed-window`") {
        @Override
        Limiter limiter(Budget budget) {
            return headgate(window(budget).using("fixed-window"), TimeSource.system());
        }
    },

    /** A leaky bucket under {@link PacedTime}, with one request every 2 microseconds. */
    LEAKY_BUCKET("**Headgate** `leaky-bucket`") {
        @Override
        Limiter limiter(Budget budget) {
            Limit limit = Limit.of(budget.refill).per(budget.refillPeriod).using("leaky-bucket");
            return headgate(limit, new PacedTime(2));
        }
    },

    /** A full log of 100 permits under {@link PacedTime}: each request drops one entry and adds one. */
    SLIDING_WINDOW_LOG("**Headgate** `sliding-window-log`, N = 100") {
        @Override
        Limiter limiter(Budget budget) {
            Duration window = budget == Budget.BUSY ? Duration.ofMillis(1) : budget.window;
            return headgate(Limit.of(100).per(window).using("sliding-window-log"), new PacedTime(10));
        }
    },

    SLIDING_WINDOW_COUNTER("**Headgate** `sliding-window-counter`") {
        @Override
        Limiter limiter(Budget budget) {
            return headgate(window(budget).using("sliding-window-counter"), TimeSource.system());
        }
    },

    SLIDING_WINDOW("**Headgate** `sliding-window`") {
        @Override
        Limiter limiter(Budget budget) {
            return headgate(window(budget).using("sliding-window"), TimeSource.system());
        }
    },

    /** The token bucket on a Caffeine cache for twice the number of keys, so that nothing is evicted. */
    TOKEN_BUCKET_CAFFEINE("**Headgate** `token-bucket`, Caffeine store") {
        @Override
        Limiter limiter(Budget budget) {
            Headgate headgate = Headgate.builder()
                    .store(new CaffeineStore(2 * Scenarios.Keys.COUNT))
                    .build();
            return asked(headgate.limiter("api", Plan.of(bucket(budget))));
        }
    },

    GUAVA("Guava `RateLimiter`") {
        @Override
        Limiter limiter(Budget budget) {
            Budget rate = budget.smooth();
            double permitsPerSecond = (double) rate.permits / rate.window.toSeconds();
            return new PerKey<>(() -> RateLimiter.create(permitsPerSecond), (limiter, hole) -> limiter.tryAcquire());
        }
    },

    FAILSAFE_SMOOTH("Failsafe, smooth") {
        @Override
        Limiter limiter(Budget budget) {
            Budget rate = budget.smooth();
            return new PerKey<>(
                    () -> dev.failsafe.RateLimiter.smoothBuilder(rate.permits, rate.window)
                            .build(),
                    (limiter, hole) -> limiter.tryAcquirePermit());
        }
    },

    FAILSAFE_BURSTY("Failsafe, bursty") {
        @Override
        Limiter limiter(Budget budget) {
            return new PerKey<>(
                    () -> dev.failsafe.RateLimiter.burstyBuilder(budget.permits, budget.window)
                            .build(),
                    (limiter, hole) -> limiter.tryAcquirePermit());
        }
    },

    RESILIENCE4J("Resilience4j `AtomicRateLimiter`") {
        @Override
        Limiter limiter(Budget budget) {
            return new PerKey<>(() -> resilience4j(budget), (limiter, hole) -> limiter.acquirePermission());
        }
    },

    /** Resilience4j with a second call for the remaining permits: no single call does both. */
    RESILIENCE4J_REMAINING("Resilience4j, and what remains") {
        @Override
        Limiter limiter(Budget budget) {
            return new PerKey<>(() -> resilience4j(budget), (limiter, hole) -> {
                boolean granted = limiter.acquirePermission();
                hole.consume(limiter.getMetrics().getAvailablePermissions());
                return granted;
            });
        }
    },

    /** The only peer that takes a permit and reports the remaining ones in one call. */
    BUCKET4J("Bucket4j, probe") {
        @Override
        Limiter limiter(Budget budget) {
            return new PerKey<>(() -> bucket4j(budget), (bucket, hole) -> {
                ConsumptionProbe probe = bucket.tryConsumeAndReturnRemaining(1);
                hole.consume(probe);
                hole.consume(probe.getRemainingTokens());
                return probe.isConsumed();
            });
        }
    };

    /** The name in the table. */
    final String label;

    Contender(String label) {
        this.label = label;
    }

    abstract Limiter limiter(Budget budget);

    /** Whether the targets apply: to all of Headgate but the Caffeine store, whose users choose it for other reasons than speed. */
    boolean hasBars() {
        return label.contains("Headgate") && this != TOKEN_BUCKET_CAFFEINE;
    }

    private static Limit bucket(Budget budget) {
        return Limit.of(budget.refill).per(budget.refillPeriod).burst(budget.permits);
    }

    private static Limit window(Budget budget) {
        return Limit.of(budget.permits).per(budget.window);
    }

    private static AtomicRateLimiter resilience4j(Budget budget) {
        RateLimiterConfig config = RateLimiterConfig.custom()
                .limitForPeriod(budget.permits)
                .limitRefreshPeriod(budget.window)
                .timeoutDuration(Duration.ZERO)
                .build();
        return new AtomicRateLimiter("api", config);
    }

    private static Bucket bucket4j(Budget budget) {
        LocalBucketBuilder builder = Bucket.builder();
        for (int i = 0; i < budget.limits; i++) {
            int permits = budget.permits(i);
            builder.addLimit(limit -> limit.capacity(permits).refillGreedy(budget.refill, budget.refillPeriod));
        }
        return builder.build();
    }

    private static Limiter headgate(Limit limit, TimeSource time) {
        return headgate(Plan.of(limit), time);
    }

    private static Limiter headgate(Plan plan, TimeSource time) {
        return asked(Headgate.builder().timeSource(time).build().limiter("api", plan));
    }

    private static Limiter asked(io.headgate.RateLimiter limiter) {
        return (key, hole) -> {
            Decision decision = limiter.tryAcquire(key);
            hole.consume(decision);
            hole.consume(decision.remaining());
            return decision.allowed();
        };
    }
}
