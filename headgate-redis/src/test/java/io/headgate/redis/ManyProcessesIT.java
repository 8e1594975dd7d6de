package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import io.headgate.TimeSource;
import io.headgate.rig.Processes;
import io.headgate.rig.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Exact counts over four processes of sixteen threads each, on one server. Known bugs A1, and T1: every process believes in
 * another time, weeks apart.
 */
class ManyProcessesIT {

    private static final int PROCESSES = 4;
    private static final int THREADS = 16;

    private static RedisServer redis;
    private static Processes processes;

    @BeforeAll
    static void start() {
        redis = RedisServer.start();
        processes = Processes.fork(PROCESSES, Client.class, redis.uri());
        processes.awaitLine("ready");
    }

    @AfterAll
    static void close() {
        processes.close();
        redis.close();
    }

    /** One of the processes: does each round it is told and prints how much each key was granted. */
    static final class Client {

        public static void main(String[] arguments) throws Exception {
            long skewMicros =
                    (Integer.parseInt(arguments[0]) - 1) * Duration.ofDays(40).toNanos() / 1_000;
            TimeSource skewed = () -> TimeSource.system().nowMicros() + skewMicros;
            RedisStoreBuilder builder = RedisStore.builder(RedisURI.create(arguments[1]))
                    .timeout(Duration.ofSeconds(20))
                    .wallMicros(() -> System.currentTimeMillis() * 1_000 + skewMicros);
            try (RedisStore plain =
                            builder.coalescing(false).denialsFor(Duration.ZERO).build();
                    RedisStore usual = builder.coalescing(true)
                            .denialsFor(Duration.ofSeconds(1))
                            .build()) {
                System.out.println("ready");
                for (String word = Processes.awaitWord(); !word.equals("end"); word = Processes.awaitWord()) {
                    Round round = Round.parse(word);
                    Headgate headgate = Headgate.builder()
                            .store(round.plain ? plain : usual)
                            .unguarded() // it is Redis that counts here
                            .timeSource(skewed)
                            .build();
                    System.out.println(round.scope + " " + round.run(headgate));
                }
            }
        }
    }

    /** Which limiter to ask about which keys, how often. */
    private record Round(String scope, boolean plain, String algorithm, int permits, int keys, int each) {

        static Round parse(String text) {
            String[] parts = text.split(" ", -1);
            return new Round(
                    parts[0],
                    Boolean.parseBoolean(parts[1]),
                    parts[2],
                    Integer.parseInt(parts[3]),
                    Integer.parseInt(parts[4]),
                    Integer.parseInt(parts[5]));
        }

        String text() {
            return scope + " " + plain + " " + algorithm + " " + permits + " " + keys + " " + each;
        }

        /** So long a window that nothing comes back while the test runs. */
        Plan plan() {
            return algorithm.equals("calendar")
                    ? Plan.parse(permits + " per calendar-month UTC")
                    : Plan.of(Limit.of(permits).per(Duration.ofDays(366)).using(algorithm));
        }

        String run(Headgate headgate) throws Exception {
            RateLimiter limiter = headgate.limiter(scope, plan());
            AtomicIntegerArray granted = new AtomicIntegerArray(keys);
            try (Load load = Load.of(THREADS, each, number -> {
                Decision decision = limiter.tryAcquire("k" + number % keys);
                if (decision.allowed()) {
                    granted.incrementAndGet(number % keys);
                }
                return decision;
            })) {
                load.finish();
                if (load.failed() > 0) {
                    throw new IllegalStateException(load.toString());
                }
            }
            List<String> counts = new ArrayList<>();
            for (int i = 0; i < keys; i++) {
                counts.add(String.valueOf(granted.get(i)));
            }
            return String.join(",", counts);
        }
    }

    /** How much all processes together were granted, by key. */
    private static int[] granted(Round round) {
        processes.tell(round.text());
        processes.awaitLine(round.scope + " ");
        int[] sum = new int[round.keys];
        for (int process = 0; process < PROCESSES; process++) {
            String line = processes.lines(process).stream()
                    .filter(each -> each.startsWith(round.scope + " "))
                    .collect(Collectors.joining());
            String[] counts = line.substring(round.scope.length() + 1).split(",", -1);
            Arrays.setAll(sum, i -> sum[i] + Integer.parseInt(counts[i]));
        }
        return sum;
    }

    private static int times(int usual) {
        return Boolean.getBoolean("headgate.proof") ? 10 * usual : usual;
    }

    private static void oneKey(String algorithm, boolean plain) {
        int permits = times(900);
        Round round = new Round("one-" + algorithm + "-" + plain, plain, algorithm, permits, 1, times(30));
        assertThat(PROCESSES * THREADS * round.each).isGreaterThan(2 * permits);
        assertThat(granted(round)).containsExactly(permits);
    }

    @Test
    void tokenBucketOnOneKey() {
        oneKey("token-bucket", false);
    }

    @Test
    void tokenBucketOnOneKeyThePlainWay() {
        oneKey("token-bucket", true);
    }

    @Test
    void fixedWindowOnOneKey() {
        oneKey("fixed-window", false);
    }

    /** The windows of a calendar are guessed from the clock of the process. */
    @Test
    void windowOfACalendarOnOneKey() {
        oneKey("calendar", false);
    }

    @Test
    void slidingWindowLogOnOneKey() {
        oneKey("sliding-window-log", false);
    }

    @Test
    void slidingWindowCounterOnOneKey() {
        oneKey("sliding-window-counter", false);
    }

    @Test
    void slidingWindowOnOneKey() {
        oneKey("sliding-window", false);
    }

    /** A bucket that leaks once a day or so grants once, whatever the clock of the client. */
    @Test
    void leakyBucketOnOneKey() {
        assertThat(granted(new Round("one-leaky", false, "leaky-bucket", 300, 1, 20)))
                .containsExactly(1);
    }

    @Test
    void aThousandKeys() {
        int permits = 3;
        int keys = 1_000;
        Round round = new Round("thousand", false, "token-bucket", permits, keys, times(300));
        int[] expected = new int[keys];
        Arrays.fill(expected, permits);
        assertThat(granted(round)).containsExactly(expected);
    }
}
