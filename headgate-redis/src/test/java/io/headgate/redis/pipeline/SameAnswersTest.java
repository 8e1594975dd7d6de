package io.headgate.redis.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Ledger;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.engine.Grant;
import io.headgate.redis.Seeds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/**
 * Remembering denials and coalescing allow exactly the requests that plain calls allow: random traces, each played
 * on two stores with the same time.
 */
class SameAnswersTest {

    private static final String SCOPE = "scope";
    private static final Duration CAP = Duration.ofSeconds(1);
    private static final int STEPS = 60;

    private static final List<Plan> PLANS = List.of(
            Plan.parse("5/s"),
            Plan.parse("3/s burst 7"),
            Plan.parse("2/min"),
            plan("leaky-bucket", "20/s"),
            plan("fixed-window", "4/s"),
            plan("sliding-window-log", "5/s"),
            plan("sliding-window-counter", "6/s"),
            plan("sliding-window", "5/s"),
            Plan.parse("4/s", "30/min", "7/2s"));

    private static Plan plan(String algorithm, String limit) {
        return Plan.of(Limit.parse(limit).using(algorithm));
    }

    private Random random = new Random();

    /** A ledger over a Redis of its own, and the grants it gave. */
    private static final class RecordedLedger {

        final FakeRedis redis = new FakeRedis();
        final Ledger ledger;
        final List<Decision.Allowed> grants = new ArrayList<>();
        final List<Key> charged = new ArrayList<>();

        RecordedLedger(BiFunction<FakeRedis, PlanCalls, Ledger> layers, Plan plan) {
            ledger = layers.apply(redis, redis.of(plan));
            redis.holds = true;
        }

        /** Everything at once, in this order; the network stands still until all are asked. */
        List<Decision> play(List<Request> burst) {
            List<CompletableFuture<Decision>> answers = new ArrayList<>();
            for (Request each : burst) {
                answers.add(check(ledger, each.key.subject(), each.on(this)));
            }
            redis.settle();
            List<Decision> decisions =
                    answers.stream().map(CompletableFuture::join).toList();
            for (int i = 0; i < burst.size(); i++) {
                if (decisions.get(i) instanceof Grant granted && granted.stamp() != null) {
                    grants.add(granted);
                    charged.add(burst.get(i).key);
                }
            }
            return decisions;
        }
    }

    /** An operation, or the refund of the grant of that number. */
    private record Request(Key key, Operation operation, int refund) {

        Operation on(RecordedLedger world) {
            return refund < 0 ? operation : new Operation.Refund(world.grants.get(refund));
        }
    }

    private Request request(RecordedLedger plain, long[] costs) {
        Key key = new Key(SCOPE, "k" + random.nextInt(3));
        long cost = costs[random.nextInt(costs.length)];
        int kind = random.nextInt(100);
        if (kind < 3 && !plain.grants.isEmpty()) {
            int refund = random.nextInt(plain.grants.size());
            return new Request(plain.charged.get(refund), Operation.RESET, refund);
        }
        if (kind < 4) {
            return new Request(key, Operation.RESET, -1);
        }
        if (kind < 8) {
            return new Request(key, new Operation.Peek(cost), -1);
        }
        return new Request(key, new Operation.Take(cost, kind < 12 ? random.nextInt(300_000) : 0), -1);
    }

    private long pause() {
        return switch (random.nextInt(4)) {
            case 0 -> 0;
            case 1 -> random.nextInt(5_000);
            case 2 -> random.nextInt(200_000_000);
            default -> random.nextInt(1_500_000_000);
        };
    }

    private interface Check {
        boolean same(Decision plain, Decision other);
    }

    /** Asks what is known first, as a limiter does. */
    private static CompletableFuture<Decision> check(Ledger ledger, String subject, Operation operation) {
        Decision known = ledger.known(subject, operation);
        return known != null ? CompletableFuture.completedFuture(known) : ledger.applyAsync(subject, operation);
    }

    private static Ledger plain(FakeRedis redis, PlanCalls calls) {
        return calls.separately(SCOPE, redis::nanos);
    }

    private static Ledger coalescing(FakeRedis redis, PlanCalls calls) {
        return coalescer().over(SCOPE, calls);
    }

    private static Ledger remembering(FakeRedis redis, PlanCalls calls) {
        return denials(redis).over(SCOPE, calls.plan(), plain(redis, calls));
    }

    private static Ledger both(FakeRedis redis, PlanCalls calls) {
        return denials(redis).over(SCOPE, calls.plan(), coalescing(redis, calls));
    }

    private static Coalescer coalescer() {
        return new Coalescer(System::nanoTime, Duration.ofHours(1));
    }

    private static Denials denials(FakeRedis redis) {
        return new Denials(redis::nanos, CAP, 100);
    }

    private void compare(BiFunction<FakeRedis, PlanCalls, Ledger> layers, int mostAtOnce, long[] costs, Check check) {
        int spared = 0;
        for (int trace = 0; trace < Seeds.rounds(300); trace++) {
            long seed = Seeds.next();
            random = new Random(seed);
            Plan plan = PLANS.get(random.nextInt(PLANS.size()));
            RecordedLedger plain = new RecordedLedger(SameAnswersTest::plain, plan);
            RecordedLedger other = new RecordedLedger(layers, plan);
            for (int step = 0; step < STEPS; step++) {
                List<Request> burst = new ArrayList<>();
                for (int i = random.nextInt(mostAtOnce); i >= 0; i--) {
                    burst.add(request(plain, costs));
                }
                List<Decision> expected = plain.play(burst);
                List<Decision> actual = other.play(burst);
                for (int i = 0; i < burst.size(); i++) {
                    boolean same =
                            kind(actual.get(i)) == kind(expected.get(i)) && check.same(expected.get(i), actual.get(i));
                    if (!same) {
                        throw new AssertionError("-Dheadgate.seed=" + seed + ", step " + step + ", " + burst.get(i)
                                + " under " + plan + ": " + actual.get(i) + " instead of " + expected.get(i));
                    }
                }
                long pause = pause() / 1_000 * 1_000;
                plain.redis.advanceNanos(pause);
                other.redis.advanceNanos(pause);
            }
            spared += plain.redis.calls.size() - other.redis.calls.size();
        }
        assertThat(spared).as("calls spared").isGreaterThanOrEqualTo(Seeds.rounds(300) / 10);
    }

    private static Class<?> kind(Decision decision) {
        return decision.allowed() ? Decision.Allowed.class : decision.getClass();
    }

    private static boolean equalInEveryField(Decision plain, Decision other) {
        return equalButForWhatRemains(plain, other)
                && other.remaining() == plain.remaining()
                && other.standings().equals(plain.standings());
    }

    private static boolean equalButForWhatRemains(Decision plain, Decision other) {
        return other.limit().equals(plain.limit())
                && other.resetAfter().equals(plain.resetAfter())
                && other.remaining() <= plain.remaining()
                && wait(other) == wait(plain);
    }

    /** How long it says to wait, before asking again or before going ahead. */
    private static long wait(Decision decision) {
        return decision instanceof Decision.Denied denied
                ? denied.retryAfterMicros()
                : decision instanceof Decision.Allowed allowed ? allowed.delay().toNanos() / 1_000 : 0;
    }

    @Test
    void coalescing() {
        compare(SameAnswersTest::coalescing, 12, new long[] {1, 1, 1, 2, 3, 5, 8}, SameAnswersTest::equalInEveryField);
    }

    @Test
    void rememberingDenials() {
        compare(SameAnswersTest::remembering, 1, new long[] {1, 1, 1, 2, 5}, SameAnswersTest::equalButForWhatRemains);
    }

    /** Beyond {@link KeyDenials#COSTS} the wait is a lower bound; what is allowed is still the same. */
    @Test
    void rememberingDenialsOfManyCosts() {
        compare(
                SameAnswersTest::remembering,
                1,
                new long[] {1, 2, 3, 4, 5, 6, 7, 8},
                (plain, other) -> wait(other) <= wait(plain));
    }

    @Test
    void both() {
        compare(SameAnswersTest::both, 1, new long[] {1, 1, 1, 2, 5}, SameAnswersTest::equalButForWhatRemains);
    }

    /**
     * With calls under way in any state and answers in any order: whenever a denial is repeated, Redis would deny at that
     * very moment, and not for longer than the wait that is told, unless a smaller cost was granted meanwhile. Resets from elsewhere are felt after the cap at the latest.
     */
    @Test
    void rememberingDenialsOverASlowNetwork() {
        int repeated = 0;
        int late = 0;
        for (int trace = 0; trace < Seeds.rounds(300); trace++) {
            long seed = Seeds.next();
            random = new Random(seed);
            Plan plan = PLANS.get(random.nextInt(PLANS.size()));
            FakeRedis redis = new FakeRedis();
            redis.holds = true;
            Ledger ledger = remembering(redis, redis.of(plan));
            boolean alike = random.nextBoolean();
            Map<Key, Long> changedElsewhere = new HashMap<>();
            for (int step = 0; step < 4 * STEPS; step++) {
                Key key = new Key(SCOPE, "k" + random.nextInt(2));
                switch (random.nextInt(8)) {
                    case 0, 1, 2, 3 -> {
                        Operation.Take take = new Operation.Take(alike ? 1 : 1 + random.nextInt(3), 0);
                        int before = redis.calls.size();
                        CompletableFuture<Decision> answer = check(ledger, key.subject(), take);
                        if (redis.calls.size() == before) {
                            repeated++;
                            late += truth(
                                    seed, redis, key, plan, take, answer.join(), alike, changedElsewhere.get(key));
                        }
                    }
                    case 4 -> {
                        if (!redis.sent.isEmpty()) {
                            redis.carryOut();
                        }
                    }
                    case 5 -> {
                        if (!redis.done.isEmpty()) {
                            redis.answer();
                        }
                    }
                    case 6 -> redis.advanceNanos(pause() / 4);
                    default -> {
                        if (random.nextInt(8) == 0) {
                            changedElsewhere.put(key, redis.nanos());
                            redis.apply(key, plan, Operation.RESET);
                        } else if (random.nextInt(4) == 0) {
                            ledger.applyAsync(key.subject(), Operation.RESET);
                        }
                    }
                }
            }
        }
        assertThat(repeated).isGreaterThanOrEqualTo(Seeds.rounds(300) / 2);
        assertThat(late)
                .as("denials that a reset elsewhere made wrong")
                .isGreaterThanOrEqualTo(Seeds.rounds(300) / 300);
    }

    /** Whether the denial is one that only a reset elsewhere, no longer ago than the cap, can explain. */
    private static int truth(
            long seed,
            FakeRedis redis,
            Key key,
            Plan plan,
            Operation.Take take,
            Decision repeated,
            boolean alike,
            Long changedElsewhere) {
        Decision truth = redis.apply(key, plan, new Operation.Peek(take.cost()));
        if (changedElsewhere != null && redis.nanos() - changedElsewhere < CAP.toNanos()) {
            return truth.allowed() ? 1 : 0;
        }
        if (!(truth instanceof Decision.Denied) || (alike && wait(repeated) < wait(truth))) {
            throw new AssertionError("-Dheadgate.seed=" + seed + ", " + take + " of " + key + " under " + plan + ": "
                    + repeated + ", but " + truth);
        }
        return 0;
    }
}
