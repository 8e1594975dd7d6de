package io.headgate.testkit;

import static io.headgate.testkit.DecisionAssert.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.Store;
import io.headgate.Window;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Sends the same random operations of every kind to a store and to a {@link PlainStore}, and compares the decisions. */
final class StoreComparison {

    private final Random random;
    private final String algorithm;
    private final Key key;
    private final Store store;
    private final StoreClock time;
    private final Store plain;
    private final List<Decision.Allowed[]> receipts = new ArrayList<>();
    private final StringBuilder soFar = new StringBuilder();
    private Plan plan;

    StoreComparison(Store store, StoreClock time, Random random, String algorithm, int round) {
        this.store = store;
        this.time = time;
        this.random = random;
        this.algorithm = algorithm;
        this.key = new Key("comparison", "subject " + round);
        this.plain = new PlainStore(Headgate.algorithms().with(new Quota()), time);
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
        return random.nextInt(3) == 0
                ? Plan.of(Limit.parse("12/min").using("sliding-window-log").named("second"), limit)
                : Plan.of(limit);
    }

    void run() {
        for (int step = 0; step < 60; step++) {
            time.advance(Duration.of(someTime(), ChronoUnit.MICROS));
            if (random.nextInt(20) == 0) {
                plan = somePlan();
                receipts.clear(); // how much of a charge under an earlier plan can be refunded is up to the store
                compare(Operation.ONE, Operation.ONE); // a store learns of a change with the first request
            }
            compare();
        }
    }

    private void compare() {
        long cost = 1L + random.nextInt((int) Math.min(20, largest() + 1));
        switch (random.nextInt(12)) {
            case 0 -> compare(new Operation.Peek(cost), new Operation.Peek(cost));
            case 1 -> {
                time.advance(Duration.of(17, ChronoUnit.MICROS)); // charges are told apart by their time
                compare(Operation.RESET, Operation.RESET);
            }
            case 2, 3 -> {
                if (!receipts.isEmpty()) {
                    Decision.Allowed[] both = receipts.remove(random.nextInt(receipts.size()));
                    compare(new Operation.Refund(both[0]), new Operation.Refund(both[1]));
                }
            }
            case 4 -> {
                long wait =
                        (long) (random.nextDouble() * 2 * plan.limits().get(0).periodMicros());
                compare(new Operation.Take(cost, wait), new Operation.Take(cost, wait));
            }
            default -> compare(new Operation.Take(cost, 0), new Operation.Take(cost, 0));
        }
    }

    private void compare(Operation asked, Operation same) {
        Decision answer = store.bind(key.scope(), plan).apply(key.subject(), asked);
        Decision right = plain.bind(key.scope(), plan).apply(key.subject(), same);
        soFar.append("\n  ")
                .append(time.nowMicros())
                .append(' ')
                .append(asked)
                .append(" under ")
                .append(plan);
        soFar.append("\n    -> ").append(answer);
        assertThat(describe(answer)).as("%s\n", soFar).isEqualTo(describe(right));
        if (answer instanceof Decision.Allowed one && right instanceof Decision.Allowed other && one.refundable() > 0) {
            receipts.add(new Decision.Allowed[] {one, other});
        }
    }

    private String describe(Decision decision) {
        String kind = decision instanceof Decision.Allowed allowed
                ? "Allowed after " + allowed.delay()
                : decision.getClass().getSimpleName();
        return kind + (decision.degraded() ? " degraded " : " ")
                + decision.limit() + " " + decision.remaining() + " " + decision.resetAfter() + " "
                + decision.standings();
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
