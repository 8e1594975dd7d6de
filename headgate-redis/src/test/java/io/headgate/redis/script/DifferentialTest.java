package io.headgate.redis.script;

import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.redis.Renamed;
import io.headgate.redis.Seeds;
import io.headgate.redis.TestRedis;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every script against its twin in Java: the same random operations at the same times, equal answers field by field. Covers
 * Known bugs T4, T5, T6, T7, T8, A3 and A11.
 */
class DifferentialTest {

    private static final boolean PROOF = Boolean.getBoolean("headgate.proof");
    private static final int DATABASES = 4;

    private static TestRedis redis;
    private static ExecutorService threads;

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
        threads = Executors.newFixedThreadPool(DATABASES);
    }

    @AfterAll
    static void stop() {
        threads.shutdownNow();
        redis.close();
    }

    static List<String> algorithms() {
        return RandomLimits.ALGORITHMS;
    }

    @ParameterizedTest
    @MethodSource("algorithms")
    void answersWhatItsTwinAnswers(String algorithm) throws Exception {
        run(100, random -> List.of(RandomLimits.limit(random, algorithm)));
    }

    /**
     * What was spent comes back, the limit changes, something happens, and then the clock steps back to when it was spent: too
     * rare to leave to chance.
     */
    @ParameterizedTest
    @MethodSource("algorithms")
    void answersTheSameWhenTheClockStepsBackBehindAChange(String algorithm) {
        Operation tooMuch = new Operation.Take(1_000, 0);
        try (RedisAtSetTime told = new RedisAtSetTime(redis, 0)) {
            for (String id : List.of(algorithm, Renamed.PREFIX + algorithm)) {
                Limit limit = Limit.parse("5/min").using(id).named("it");
                for (Limit changed : List.of(
                        Limit.parse("7/min").using(id).named("it"),
                        Limit.parse("5/h").using(id).named("it"),
                        Limit.parse("7 per 7s").using(id).named("it"))) {
                    for (Operation between : List.of(Operation.PEEK, tooMuch, Operation.ONE)) {
                        new Story(told, limit).changesTo(changed, between, false);
                        new Story(told, limit).changesTo(changed, between, true);
                    }
                }
            }
        }
    }

    /** A clock that steps back brings to light whether a refund has touched what was gone. */
    @ParameterizedTest
    @MethodSource("algorithms")
    void answersTheSameWhenTheClockStepsBackBehindARefund(String algorithm) {
        try (RedisAtSetTime told = new RedisAtSetTime(redis, 0)) {
            for (String id : List.of(algorithm, Renamed.PREFIX + algorithm)) {
                Limit limit = Limit.parse("5/min").using(id).named("it");
                for (int place = 0; place < Story.CHARGES; place++) {
                    new Story(told, limit).takesBack(place);
                }
                new Story(told, limit).takesBackWhatTheClockCarried();
                new Story(told, limit).takesBackAtTheTimeOfTheCharge();
                new Story(told, limit)
                        .spendsWhatItTookBack(Limit.parse("5/30s").using(id).named("it"));
            }
        }
    }

    @Test
    void answersWhatAPlanOfSeveralLimitsAnswers() throws Exception {
        run(200, random -> {
            List<Limit> limits = new ArrayList<>();
            for (int i = random.nextInt(1, 5); i > 0; i--) {
                limits.add(RandomLimits.limit(random, RandomLimits.anyAlgorithm(random)));
            }
            return limits;
        });
    }

    /** An algorithm without a script takes two calls, and is as atomic. */
    @Test
    void answersWhatAnAlgorithmOfTheUserAnswers() throws Exception {
        run(60, random -> {
            List<Limit> limits = new ArrayList<>();
            for (int i = random.nextInt(1, 4); i > 0; i--) {
                Limit limit = RandomLimits.limit(random, RandomLimits.anyAlgorithm(random));
                limits.add(random.nextInt(3) == 0 ? limit : limit.using(Renamed.PREFIX + limit.algorithm()));
            }
            return limits;
        });
    }

    /** So many sequences, thirty times as many in the long run, shared out over a few databases, which know nothing of each other. */
    private static void run(int sequences, RandomLimits.Choice choice) throws Exception {
        int rounds = Seeds.rounds(PROOF ? 3 * sequences : sequences);
        int workers = Math.min(DATABASES, rounds);
        List<Future<?>> running = new ArrayList<>();
        for (int database = 0; database < workers; database++) {
            int place = database;
            running.add(threads.submit(() -> {
                try (RedisAtSetTime told = new RedisAtSetTime(redis, place)) {
                    for (int round = place; round < rounds; round += workers) {
                        run(Seeds.next(), choice, told);
                    }
                }
            }));
        }
        ExecutionException failure = null;
        for (Future<?> each : running) { // all of them: the next test has the same databases
            try {
                each.get(30, TimeUnit.MINUTES);
            } catch (ExecutionException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    private static void run(long seed, RandomLimits.Choice choice, RedisAtSetTime told) {
        try {
            new RandomSequence(seed, choice, told).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dheadgate.seed=" + seed, e);
        }
    }
}
