package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Limit;
import io.headgate.RateLimiter;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The third chapter of the {@link StoreContract}: what was spent stays spent when a limit changes and changes back. What comes back
 * while another limit is in force has come back; and nothing else has.
 */
abstract class StoreChanges extends StorePlans {

    /** N, W, the burst or the calendar changes and changes back, at one moment. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void staysSpentThereAndBack(String algorithm) {
        needsStillTime();
        for (String other : others(algorithm)) {
            RateLimiter first = limiter("10/day", algorithm);
            first.tryAcquire(other, 10);
            limiter(other, algorithm).peek(other);
            assertThat(first.peek(other)).as("%s, asked", other).isDenied();
            limiter(other, algorithm).tryAcquire(other);
            assertThat(first.tryAcquire(other)).as("%s, taken", other).isDenied();
            assertThat(first.peek(other)).as(other).hasRemaining(0);
        }
    }

    /** A request under a shorter window must not forget what the longer one counts. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void staysSpentWhenWShrinksAndGrowsBack(String algorithm) {
        needsStillTime();
        time().advance(Duration.of(60_000_000 - time().nowMicros() % 60_000_000, ChronoUnit.MICROS));
        RateLimiter minute = limiter("10/min", algorithm);
        minute.tryAcquire("alice", 10);
        time().advance(Duration.ofMillis(1_500));
        limiter("10/s", algorithm).tryAcquire("alice");
        for (int i = 0; i < 10; i++) {
            assertThat(minute.tryAcquire("alice")).isDenied();
        }
    }

    /** What was taken and given back under a shorter window leaves what the longer one counts as it was. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void staysSpentWhenWShrinksForWhatIsGivenBack(String algorithm) {
        needsStillTime();
        time().advance(Duration.of(60_000_000 - time().nowMicros() % 60_000_000, ChronoUnit.MICROS));
        RateLimiter minute = limiter("10/min", algorithm);
        RateLimiter second = limiter("10/s", algorithm);
        minute.tryAcquire("alice", 10);
        time().advance(Duration.ofMillis(1_500));
        List<Decision.Allowed> taken = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            if (second.tryAcquire("alice") instanceof Decision.Allowed granted) {
                taken.add(granted);
            }
        }
        taken.forEach(second::refund);
        for (int i = 0; i < 10; i++) {
            assertThat(minute.tryAcquire("alice")).isDenied();
        }
    }

    /** The log is exact under every limit: what a shorter window has let in counts as well. */
    @Test
    public void countsExactlyHoweverTheLimitOfALogChanges() {
        needsStillTime();
        Random random = Seeds.random(getClass());
        for (int round = 0; round < Seeds.rounds(40); round++) {
            new LogChanges(random, "subject " + round).run();
        }
    }

    /** A moment before and after a change, no less is spent. For a log that has become shorter, the test above says more. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void keepsWhatIsStillSpentAtEveryChange(String algorithm) {
        needsStillTime();
        Random random = Seeds.random(getClass());
        for (int round = 0; round < Seeds.rounds(40); round++) {
            changeAtRandom(algorithm, random, "subject " + round);
        }
    }

    /** Another algorithm in between has a budget of its own, and does not renew that of the first. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void staysSpentWhileAnotherAlgorithmIsInForce(String algorithm) {
        Limit limit = Limit.parse("4/day").using(algorithm);
        limiter("turns", limit).tryAcquire("alice", 4);
        algorithms().filter(each -> !each.equals(algorithm)).forEach(other -> {
            assertThat(limiter("turns", limit.using(other)).tryAcquire("alice")).isAllowed();
            assertThat(limiter("turns", limit).tryAcquire("alice"))
                    .as("after %s", other)
                    .isDenied();
        });
    }

    /** A limit of 0 keeps what was spent before for the limit that may replace it, unless it is reset. */
    @ParameterizedTest
    @MethodSource(EACH_ALGORITHM)
    public void givesTheWholeBudgetBackOnAResetUnderALimitOfZero(String algorithm) {
        limiter("4/day", algorithm).tryAcquire("alice", 4);
        assertThat(limiter("0/day", algorithm).tryAcquire("alice")).isImpossible();
        assertThat(limiter("4/day", algorithm).tryAcquire("alice")).isDenied();
        limiter("0/day", algorithm).reset("alice");
        assertThat(limiter("4/day", algorithm).peek("alice")).isAllowed().hasRemaining(4);
    }

    private static List<String> others(String algorithm) {
        List<String> others = new ArrayList<>(List.of(
                "3/day", "100/day", "10/h", "10 per 48h", "3/s", "2000/h", "5 per 2000ms", "9 per 366d", "0/day"));
        if (algorithm.equals("token-bucket")) {
            others.addAll(List.of("10/day burst 3", "10/day burst 50", "3/h burst 90", "100/day burst 1"));
        }
        if (algorithm.equals("fixed-window")) {
            others.addAll(List.of("10 per calendar-day Europe/Berlin", "30 per calendar-month America/Havana"));
        }
        return others;
    }

    private void changeAtRandom(String algorithm, Random random, String subject) {
        Limit limit = someLimit(algorithm, random);
        StringBuilder soFar = new StringBuilder();
        for (int step = 0; step < 60; step++) {
            RateLimiter limiter = limiter("changes", limit);
            boolean allowed = limiter.tryAcquire(subject, 1 + random.nextInt(3)).allowed();
            long spent = limit.burst() - limiter.peek(subject).remaining();
            soFar.append("\n  ")
                    .append(time().nowMicros())
                    .append(' ')
                    .append(limit)
                    .append(allowed ? " allowed" : " denied");
            Limit next = someLimit(algorithm, random);
            boolean exact = algorithm.equals("sliding-window-log") && next.periodMicros() < limit.periodMicros();
            if (random.nextInt(3) == 0 && !exact) {
                limit = next;
                assertThat(limiter("changes", limit).peek(subject).remaining())
                        .as("%s\n  now %s, with %d spent", soFar, limit, spent)
                        .isLessThanOrEqualTo(Math.max(0, limit.burst() - spent));
            }
            time().advance(Duration.of(random.nextLong(limit.periodMicros() / 5), ChronoUnit.MICROS));
        }
    }

    private static Limit someLimit(String algorithm, Random random) {
        String[] windows = {"s", "min", "h", "7s", "300ms", "day"};
        String text = (1 + random.nextInt(20)) + " per "
                + windows[random.nextInt(windows.length)].replaceFirst("^([a-z])", "1$1");
        Limit limit = Limit.parse(text).using(algorithm).named("limit");
        return algorithm.equals("token-bucket") && random.nextBoolean() ? limit.burst(1 + random.nextInt(30)) : limit;
    }

    /**
     * Requests under limits that change, and what an unbounded list of all grants says to each. The longest window and the largest
     * N come first, and nothing gets as old as that window.
     */
    private final class LogChanges {

        private final Random random;
        private final String subject;
        private final List<Long> granted = new ArrayList<>();
        private final List<Limit> limits = new ArrayList<>();
        private final StringBuilder soFar = new StringBuilder();

        LogChanges(Random random, String subject) {
            this.random = random;
            this.subject = subject;
            limits.add(Limit.parse("20 per 60s").using("sliding-window-log").named("limit"));
            for (String window : new String[] {"60s", "1s", "7s", "20s"}) {
                limits.add(Limit.parse((1 + random.nextInt(20)) + " per " + window)
                        .using("sliding-window-log")
                        .named("limit"));
            }
        }

        void run() {
            ask(limits.get(0), 1);
            for (int step = 0; step < 60; step++) {
                time().advance(Duration.of(random.nextLong(990_000), ChronoUnit.MICROS));
                Limit limit = limits.get(random.nextInt(limits.size()));
                ask(limit, 1 + random.nextInt((int) Math.min(3, limit.permits())));
            }
        }

        private void ask(Limit limit, int cost) {
            long now = time().nowMicros();
            long spent = granted.stream()
                    .filter(time -> time > now - limit.periodMicros())
                    .count();
            boolean allowed = limiter("log", limit).tryAcquire(subject, cost).allowed();
            soFar.append("\n  ")
                    .append(now)
                    .append(' ')
                    .append(limit)
                    .append(" cost ")
                    .append(cost);
            assertThat(allowed).as("%s with %d spent", soFar, spent).isEqualTo(spent + cost <= limit.permits());
            for (int i = 0; allowed && i < cost; i++) {
                granted.add(now);
            }
        }
    }
}
