package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;

import io.headgate.Algorithms;
import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A story: a sequence of requests at given times, each with the decision that a limit must make.
 *
 * <pre>{@code
 * steps(Limit.parse("2/min"),
 *     at("0s").take(1).allowed(1),
 *     at("0s").take(1).allowed(0),
 *     at("1s").take(1).denied("29s"),       // one permit returns every 30 s
 *     at("30s").take(1).allowed(0));
 * }</pre>
 *
 * <p>Times count from a midnight in UTC, where the windows of all usual periods begin, or are instants. A failure names the step
 * and shows all decisions up to it.
 */
public final class Steps {

    private static final long DAY = 86_400_000_000L;

    private final Plan plan;
    private final List<Step> steps;

    private Steps(Plan plan, List<Step> steps) {
        this.plan = plan;
        this.steps = steps;
    }

    /** Runs a story against a built-in algorithm. */
    public static void steps(Limit limit, Step... steps) {
        story(limit, steps).tell();
    }

    /** Creates a story to run against a store or against an algorithm of your own. */
    public static Steps story(Limit limit, Step... steps) {
        return story(Plan.of(limit), steps);
    }

    /** Creates a story under a plan of several limits. */
    public static Steps story(Plan plan, Step... steps) {
        return new Steps(plan, List.of(steps));
    }

    /** A time after the beginning of the story: {@code 0s}, {@code 29s}, {@code 1h30min}, {@code 999ms999us}. */
    public static Step.Moment at(String time) {
        return Step.at(time);
    }

    public static Step.Moment at(Instant time) {
        return Step.at(time);
    }

    /** Runs the story against the built-in algorithms. */
    public void tell() {
        tell(Headgate.algorithms());
    }

    /** Runs the story against the given algorithms, in a minimal store. */
    public void tell(Algorithms algorithms) {
        ManualTime time = new ManualTime(Instant.parse("2026-03-02T00:00:00Z"));
        tell(new PlainStore(algorithms, time), time);
    }

    /** Runs the story against a store. The story begins at the next midnight of the store's time. */
    public void tell(Store store, StoreClock time) {
        long begin = Math.floorDiv(time.nowMicros() + DAY - 1, DAY) * DAY;
        Key key = new Key("story", "somebody");
        Map<String, Decision> labelled = new HashMap<>();
        StringBuilder soFar = new StringBuilder(plan.toString());
        Plan current = plan;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            current = step.action() instanceof Step.Action.Change change ? change.plan() : current;
            move(time, step.micros(begin));
            Decision decision = store.bind(key.scope(), current).apply(key.subject(), operation(step, labelled));
            soFar.append("\n  ")
                    .append(i + 1)
                    .append(". ")
                    .append(step)
                    .append(" -> ")
                    .append(decision);
            step.check(assertThat(decision).as("step %d of %s\n", i + 1, soFar));
            if (step.label() != null) {
                labelled.put(step.label(), decision);
            }
        }
    }

    private static void move(StoreClock time, long toMicros) {
        long ahead = toMicros - time.nowMicros();
        if (ahead >= 0) {
            time.advance(Duration.of(ahead, ChronoUnit.MICROS));
        } else {
            time.stepBack(Duration.of(-ahead, ChronoUnit.MICROS));
        }
    }

    private static Operation operation(Step step, Map<String, Decision> labelled) {
        Step.Action action = step.action();
        if (action instanceof Step.Action.Take take) {
            return new Operation.Take(take.cost(), take.within().toNanos() / 1_000);
        }
        if (action instanceof Step.Action.Refund refund) {
            return new Operation.Refund(receipt(labelled.get(refund.label()), step));
        }
        return action instanceof Step.Action.Reset
                ? Operation.RESET
                : new Operation.Peek(action instanceof Step.Action.Peek peek ? peek.cost() : 1);
    }

    private static Decision.Allowed receipt(@Nullable Decision decision, Step step) {
        if (decision instanceof Decision.Allowed receipt) {
            return receipt;
        }
        throw new IllegalArgumentException("no earlier grant for: " + step);
    }
}
