package io.headgate.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Window;
import io.headgate.redis.TestRedis.Kept;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every script against its twin in Java: the same random operations at the same times, equal answers field by field. Covers
 * CATALOGUE T4, T5, T6, T7, T8, A3 and A11.
 */
class DifferentialTest {

    private static final long DAY = 86_400_000_000L;
    private static final String[] ALGORITHMS = {
        "token-bucket", "leaky-bucket", "fixed-window", "sliding-window-log", "sliding-window-counter", "sliding-window"
    };

    private static TestRedis redis;
    private static Link link;
    private static Backend backend;

    @BeforeAll
    static void start() {
        redis = TestRedis.start();
        link = redis.link();
        backend = new ScriptBackend(link, Names.readable("rl:"), Reference.ALGORITHMS, new Scripts(TestRedis.TIME));
    }

    @AfterAll
    static void stop() {
        link.close();
        redis.close();
    }

    @BeforeEach
    void empty() {
        redis.commands().flushall();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token-bucket",
                "leaky-bucket",
                "fixed-window",
                "sliding-window-log",
                "sliding-window-counter",
                "sliding-window"
            })
    void answersWhatItsTwinAnswers(String algorithm) {
        for (int round = 0; round < Seeds.rounds(200); round++) {
            run(Seeds.next(), random -> List.of(limit(random, algorithm)));
        }
    }

    @Test
    void answersWhatAPlanOfSeveralLimitsAnswers() {
        for (int round = 0; round < Seeds.rounds(400); round++) {
            run(Seeds.next(), random -> {
                List<Limit> limits = new ArrayList<>();
                for (int i = random.nextInt(1, 5); i > 0; i--) {
                    limits.add(limit(random, ALGORITHMS[random.nextInt(ALGORITHMS.length)]));
                }
                return limits;
            });
        }
    }

    /** An algorithm without a script takes two calls, and is as atomic. */
    @Test
    void answersWhatAnAlgorithmOfTheUserAnswers() {
        for (int round = 0; round < Seeds.rounds(100); round++) {
            run(Seeds.next(), random -> {
                List<Limit> limits = new ArrayList<>();
                for (int i = random.nextInt(1, 4); i > 0; i--) {
                    Limit limit = limit(random, ALGORITHMS[random.nextInt(ALGORITHMS.length)]);
                    limits.add(random.nextInt(3) == 0 ? limit : limit.using(Renamed.PREFIX + limit.algorithm()));
                }
                return limits;
            });
        }
    }

    private interface Limits {
        List<Limit> of(Random random);
    }

    private static void run(long seed, Limits limits) {
        try {
            new Sequence(seed, limits).run();
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError("-Dheadgate.seed=" + seed, e);
        }
    }

    /** The same grant from both, and when it was made. */
    private record Receipt(Decision.Allowed scripted, Decision.Allowed reference, long at) {}

    /** Operations on one key, made up as they go. */
    private static final class Sequence {

        private final Random random;
        private final Limits limits;
        private final Key key;
        private final Reference reference = new Reference();
        private final List<Receipt> receipts = new ArrayList<>();
        private final boolean limitsChange;
        private final boolean clockStepsBack;
        private Map<String, Kept> kept = Map.of();
        private Plan plan;
        private long now;
        private long lastWait;

        Sequence(long seed, Limits limits) {
            this.random = new Random(seed);
            this.limits = limits;
            this.key = new Key("test", Long.toString(seed));
            this.plan = plan();
            // A window or log that was full when its limit changed is not always written as such, and a clock that then
            // steps back
            // brings it to light again: so there it is one or the other.
            boolean both = plan.limits().stream().allMatch(Sequence::isRewritten);
            this.limitsChange = random.nextBoolean();
            this.clockStepsBack = both ? random.nextBoolean() : !limitsChange;
            this.now = random.nextInt(4) == 0
                    ? random.nextLong(400 * DAY, (1L << 52) - 4000 * DAY)
                    : 1_794_780_000_000_000L + random.nextLong(DAY);
        }

        void run() {
            for (int step = random.nextInt(10, 60); step > 0; step--) {
                if (limitsChange && random.nextInt(12) == 0) {
                    plan = changed(plan);
                }
                pass();
                redis.setTime(now);
                check(operations());
            }
            redis.commands().flushall();
        }

        private void check(List<Integer> kinds) {
            List<Operation> asked = new ArrayList<>();
            List<Operation> known = new ArrayList<>();
            for (int kind : kinds) {
                add(kind, asked, known);
            }
            boolean denied = true;
            List<Decision> expected = new ArrayList<>();
            for (Operation operation : known) {
                Decision decision = reference.apply(plan, operation, now);
                expected.add(decision);
                denied &= !(operation instanceof Operation.Refund)
                        && !(operation instanceof Operation.Reset)
                        && !(operation instanceof Operation.Take && decision.allowed())
                        && !reference.mended();
            }
            List<Decision> actual = backend.run(key, plan, asked).join();
            String context = plan + " at " + now + ": " + asked;
            assertThat(told(actual)).as(context).isEqualTo(told(expected));
            Map<String, Kept> after = redis.look();
            if (denied && after.keySet().equals(kept.keySet())) { // else a state has changed places with another
                kept.forEach((name, value) ->
                        assertThat(after.get(name).value()).as(context).isEqualTo(value.value()));
            }
            after.forEach(
                    (name, value) -> assertThat(value.ttlMillis()).as(context).isPositive());
            kept = after;
            for (int i = 0; i < actual.size(); i++) {
                if (asked.get(i)
                        instanceof
                        Operation.Reset) { // what was charged this microsecond, before and after, looks alike
                    receipts.removeIf(receipt -> receipt.at == now);
                }
                boolean reset = asked.subList(i, asked.size()).contains(Operation.RESET);
                if (actual.get(i) instanceof Decision.Allowed granted && granted.refundable() > 0 && !reset) {
                    receipts.add(new Receipt(granted, (Decision.Allowed) expected.get(i), now));
                }
                lastWait = actual.get(i) instanceof Decision.Denied refused ? refused.retryAfterMicros() : lastWait;
            }
        }

        private List<Integer> operations() {
            List<Integer> kinds = new ArrayList<>();
            for (int i = random.nextInt(3) == 0 ? random.nextInt(1, 6) : 1; i > 0; i--) {
                kinds.add(random.nextInt(20));
            }
            return kinds;
        }

        private void add(int kind, List<Operation> asked, List<Operation> known) {
            Operation operation;
            if (kind < 2 && !receipts.isEmpty()) {
                Receipt receipt = receipts.remove(random.nextInt(receipts.size()));
                asked.add(new Operation.Refund(receipt.scripted));
                known.add(new Operation.Refund(receipt.reference));
                return;
            } else if (kind == 2 && random.nextInt(3) == 0) {
                operation = Operation.RESET;
                receipts.removeIf(receipt -> receipt.at == now); // before and after it, this microsecond looks the same
            } else if (kind < 5) {
                operation = new Operation.Peek(cost());
            } else if (kind < 8) {
                operation = new Operation.Take(cost(), random.nextBoolean() ? lastWait + 1 : random.nextLong(2 * DAY));
            } else {
                operation = new Operation.Take(cost(), 0);
            }
            asked.add(operation);
            known.add(operation);
        }

        private long cost() {
            long burst = plan.limits().get(random.nextInt(plan.limits().size())).burst();
            return switch (random.nextInt(8)) {
                case 0 -> Math.max(1, burst);
                case 1 -> burst + 1;
                case 2 -> random.nextLong(1, Math.max(2, burst));
                case 3 -> random.nextLong(1, Math.max(2, burst / 3));
                case 4 -> random.nextInt(100) == 0 ? Long.MAX_VALUE : 2;
                default -> 1;
            };
        }

        private void pass() {
            long period =
                    plan.limits().get(random.nextInt(plan.limits().size())).periodMicros();
            now += switch (random.nextInt(12)) {
                case 0, 1, 2 -> 0;
                case 3 -> Math.min(lastWait, 1000 * DAY);
                case 4 -> Math.min(lastWait, 1000 * DAY) - 1;
                case 5 -> random.nextLong(period);
                case 6 -> period;
                case 7 -> random.nextLong(3 * period);
                case 8 -> random.nextLong(1, 1000);
                case 9 -> random.nextLong(period / 10 + 1);
                case 10 -> clockStepsBack && random.nextInt(3) == 0 ? -random.nextLong(2 * period) : 1;
                default -> period / Math.max(1, plan.limits().get(0).permits());
            };
            now = Math.max(now, DAY);
            now = Math.min(now, (1L << 52) - 1);
        }

        private Plan plan() {
            while (true) {
                try {
                    return new Plan(limits.of(random));
                } catch (IllegalArgumentException twoOfOneName) {
                    // once more
                }
            }
        }

        private static boolean isRewritten(Limit limit) {
            return !limit.algorithm().endsWith("fixed-window")
                    && !limit.algorithm().endsWith("log");
        }

        private Plan changed(Plan plan) {
            List<Limit> next = new ArrayList<>(plan.limits());
            int place = random.nextInt(next.size());
            Limit old = next.get(place);
            switch (random.nextInt(6)) {
                case 0 -> Collections.shuffle(next, random);
                case 1 -> {
                    Limit another = limits.of(random).get(0);
                    if (next.size() < 5 && (!clockStepsBack || isRewritten(another))) {
                        next.add(another);
                        Collections.shuffle(next, random);
                    }
                }
                case 2 -> {
                    if (next.size() > 1) {
                        next.remove(place);
                    }
                }
                default -> {
                    Limit other = limit(random, old.algorithm().replace(Renamed.PREFIX, ""));
                    boolean window = random.nextBoolean();
                    Limit mixed = new Limit(
                            window ? old.permits() : other.permits(),
                            window ? other.window() : old.window(),
                            window ? old.burst() : other.burst(),
                            old.algorithm(),
                            old.name());
                    next.set(place, mixed);
                }
            }
            try {
                return new Plan(next);
            } catch (IllegalArgumentException twoOfOneName) {
                return plan;
            }
        }
    }

    private static Limit limit(Random random, String algorithm) {
        boolean log = algorithm.equals("sliding-window-log");
        long permits = switch (random.nextInt(9)) {
            case 0 -> 1;
            case 1 -> log ? 10_000 : Limit.MOST;
            case 2 -> log ? 1_500 : random.nextLong(1, Limit.MOST);
            case 3 -> log ? 3 : 1_000_000;
            case 4 -> random.nextInt(40) == 0 ? 0 : 2;
            default -> random.nextLong(1, 30);
        };
        if (algorithm.equals("fixed-window") && random.nextInt(4) == 0) {
            Window.Unit unit = List.of(Window.Unit.DAY, Window.Unit.WEEK, Window.Unit.MONTH)
                    .get(random.nextInt(3));
            ZoneId zone = ZoneId.of(random.nextBoolean() ? "Europe/Berlin" : "America/Havana");
            return named(random, Limit.of(permits).perCalendar(unit, zone));
        }
        long period = switch (random.nextInt(8)) {
            case 0 -> 1_000;
            case 1 -> 366 * DAY;
            case 2 -> random.nextLong(1_000, 366 * DAY);
            case 3 -> random.nextLong(1_000, 10_000);
            case 4 -> DAY;
            case 5 -> 1_000_000;
            default -> 60_000_000;
        };
        Limit limit = Limit.of(permits).per(new Window.Span(period)).using(algorithm);
        if (algorithm.equals("token-bucket") && permits > 0 && random.nextBoolean()) {
            limit = limit.burst(random.nextInt(4) == 0 ? Limit.MOST : random.nextLong(1, 50));
        }
        return named(random, limit);
    }

    private static Limit named(Random random, Limit limit) {
        return random.nextInt(4) == 0 ? limit.named("n" + random.nextInt(3) + "é}") : limit;
    }

    /** Everything a decision says. */
    private static String told(List<Decision> decisions) {
        StringBuilder told = new StringBuilder();
        for (Decision decision : decisions) {
            told.append(
                    decision instanceof Decision.Allowed allowed
                            ? "allowed after " + allowed.delay() + ", to refund " + allowed.refundable()
                            : decision instanceof Decision.Denied denied
                                    ? "denied for " + denied.retryAfter()
                                    : decision.getClass().getSimpleName());
            told.append(" by ").append(decision.limit());
            told.append(", remaining ").append(decision.remaining());
            told.append(", reset ").append(decision.resetAfter());
            told.append(", of ").append(decision.limits()).append('\n');
        }
        return told.toString();
    }
}
