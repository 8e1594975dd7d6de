package io.headgate.redis.script;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Window;
import io.headgate.algorithm.BuiltIn;
import io.headgate.redis.Renamed;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Limits of every size that is promised, and plans of them, made up as a test goes. */
final class RandomLimits {

    static final long DAY = 86_400_000_000L;

    static final List<String> ALGORITHMS =
            BuiltIn.algorithms().stream().map(Algorithm::id).toList();

    /** What limits a plan starts with, and others that it may be given later. */
    interface Choice {
        List<Limit> of(Random random);
    }

    private final Random random;
    private final Choice choice;

    RandomLimits(Random random, Choice choice) {
        this.random = random;
        this.choice = choice;
    }

    Plan plan() {
        while (true) {
            try {
                return new Plan(choice.of(random));
            } catch (IllegalArgumentException twoOfOneName) {
                // once more
            }
        }
    }

    /**
     * The plan with its limits in another order, one more, one less, or one with other numbers.
     *
     * @param most how many limits it may have then
     */
    Plan changed(Plan plan, int most) {
        List<Limit> next = new ArrayList<>(plan.limits());
        int place = random.nextInt(next.size());
        switch (random.nextInt(6)) {
            case 0 -> Collections.shuffle(next, random);
            case 1 -> {
                if (next.size() < most) {
                    next.add(choice.of(random).get(0));
                    Collections.shuffle(next, random);
                }
            }
            case 2 -> {
                if (next.size() > 1) {
                    next.remove(place);
                }
            }
            default -> next.set(place, changed(next.get(place)));
        }
        try {
            return new Plan(next);
        } catch (IllegalArgumentException twoOfOneName) {
            return plan;
        }
    }

    private Limit changed(Limit old) {
        Limit other = limit(random, old.algorithm().replace(Renamed.PREFIX, ""));
        boolean window = random.nextBoolean();
        return new Limit(
                window ? old.permits() : other.permits(),
                window ? other.window() : old.window(),
                window ? old.burst() : other.burst(),
                old.algorithm(),
                old.name());
    }

    static String anyAlgorithm(Random random) {
        return ALGORITHMS.get(random.nextInt(ALGORITHMS.size()));
    }

    static Limit limit(Random random, String algorithm) {
        boolean log = algorithm.equals("sliding-window-log");
        long permits = switch (random.nextInt(9)) {
            case 0 -> 1;
            case 1 -> log ? 10_000 : Limit.MOST;
            case 2 -> log ? 1_500 : random.nextLong(1, Limit.MOST);
            case 3 -> log ? 3 : 1_000_000;
            case 4 -> random.nextInt(8) == 0 ? 0 : 2;
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
}
