package io.headgate.redis.script;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.Plan;
import io.headgate.redis.Reference;
import io.headgate.redis.TestRedis.Kept;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** Operations of every kind on one key, made up as they go, asked of the scripts and of their {@link Reference} in Java. */
final class RandomSequence {

    private static final long DAY = RandomLimits.DAY;

    /** Mostly refunds and takes that wait; see {@link #add}. */
    private static final int[] CROWD = {0, 0, 0, 0, 0, 3, 5, 5, 5, 5, 5, 5, 5, 8};

    private final Random random;
    private final RandomLimits limits;
    private final RedisAtSetTime redis;
    private final Key key;
    private final Reference reference = new Reference();
    private final List<Receipt> receipts = new ArrayList<>();
    private final StringBuilder soFar = new StringBuilder();
    private final boolean limitsChange;
    private final boolean clockStepsBack;

    /** Whether many reserve slots and leave again. */
    private final boolean crowded;

    private @Nullable Map<String, Kept> kept;
    private Plan plan;
    private @Nullable Plan earlier;
    private long now;
    private long lastWait;

    /** The same grant from both, and when it was made. */
    private record Receipt(Decision.Allowed scripted, Decision.Allowed reference, long at) {}

    RandomSequence(long seed, RandomLimits.Choice choice, RedisAtSetTime redis) {
        this.random = new Random(seed);
        this.limits = new RandomLimits(random, choice);
        this.redis = redis;
        this.key = new Key("test", Long.toString(seed));
        this.plan = limits.plan();
        this.limitsChange = random.nextBoolean();
        this.clockStepsBack = random.nextBoolean();
        this.crowded = random.nextInt(3) == 0;
        this.now = random.nextInt(4) == 0
                ? random.nextLong(400 * DAY, (1L << 52) - 4000 * DAY)
                : 1_794_780_000_000_000L + random.nextLong(DAY);
    }

    void run() {
        for (int step = random.nextInt(10, 40); step > 0; step--) {
            if (limitsChange && random.nextInt(12) == 0) {
                Plan before = plan;
                plan = earlier != null && random.nextInt(3) == 0 ? earlier : limits.changed(plan, 5);
                earlier = before;
            }
            pass();
            ask();
        }
        redis.clear();
    }

    private void ask() {
        List<Operation> asked = new ArrayList<>();
        List<Operation> known = new ArrayList<>();
        for (int i = random.nextInt(3) == 0 ? random.nextInt(1, 6) : 1; i > 0; i--) {
            add(crowded ? CROWD[random.nextInt(CROWD.length)] : random.nextInt(20), asked, known);
        }
        boolean nothingChanges = true;
        List<Decision> expected = new ArrayList<>();
        for (Operation operation : known) {
            Decision decision = reference.apply(plan, operation, now);
            expected.add(decision);
            nothingChanges &= !(operation instanceof Operation.Refund)
                    && !(operation instanceof Operation.Reset)
                    && !(operation instanceof Operation.Take && decision.allowed())
                    && !reference.mended();
        }
        List<Decision> actual = redis.run(now, key, plan, asked);
        soFar.append('\n').append(plan).append(" at ").append(now).append(": ").append(asked);
        assertThat(told(actual)).as(soFar::toString).isEqualTo(told(expected));
        look(nothingChanges);
        keep(asked, actual, expected);
    }

    /** Every key has a TTL, and one that nothing has happened to is the same to the byte. Not every time: it takes a while. */
    private void look(boolean nothingChanges) {
        Map<String, Kept> before = kept;
        kept = null;
        if (random.nextInt(3) == 0 || (nothingChanges && before != null)) {
            Map<String, Kept> after = redis.look();
            after.forEach((name, value) ->
                    assertThat(value.ttlMillis()).as(soFar::toString).isPositive());
            if (nothingChanges && before != null && after.keySet().equals(before.keySet())) { // else two changed places
                before.forEach((name, value) ->
                        assertThat(after.get(name).value()).as(soFar::toString).isEqualTo(value.value()));
            }
            kept = after;
        }
    }

    private void keep(List<Operation> asked, List<Decision> actual, List<Decision> expected) {
        int from = asked.lastIndexOf(Operation.RESET) + 1;
        if (from > 0) { // what was charged this microsecond, before and after, looks alike
            receipts.removeIf(receipt -> receipt.at == now);
        }
        for (int i = 0; i < actual.size(); i++) {
            if (i >= from && actual.get(i) instanceof Decision.Allowed granted && granted.refundable() > 0) {
                receipts.add(new Receipt(granted, (Decision.Allowed) expected.get(i), now));
            }
            lastWait = actual.get(i) instanceof Decision.Denied denied ? denied.retryAfterMicros() : lastWait;
        }
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
            receipts.removeIf(receipt -> receipt.at == now);
        } else if (kind < 5) {
            operation = new Operation.Peek(cost());
        } else if (kind < 8) {
            operation = new Operation.Take(cost(), longestWait());
        } else {
            operation = new Operation.Take(cost(), 0);
        }
        asked.add(operation);
        known.add(operation);
    }

    private long longestWait() {
        return switch (random.nextInt(8)) {
            case 0 -> Long.MAX_VALUE;
            case 1, 2, 3 -> lastWait + 1;
            default -> random.nextLong(2 * DAY);
        };
    }

    private long cost() {
        long burst = anyLimit().burst();
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
        long period = anyLimit().periodMicros();
        if (crowded && random.nextInt(5) > 0) {
            long slot = period / Math.max(1, plan.limits().get(0).permits());
            now = Math.min(now + (random.nextBoolean() ? slot : random.nextLong(slot + 1)), (1L << 52) - 1);
            return;
        }
        now += switch (random.nextInt(12)) {
            case 0, 1, 2 -> 0;
            case 3 -> Math.min(lastWait, random.nextInt(4) == 0 ? 1L << 52 : 1000 * DAY);
            case 4 -> Math.max(0, Math.min(lastWait, 1000 * DAY) - 1);
            case 5 -> random.nextLong(period);
            case 6 -> period;
            case 7 -> random.nextLong(3 * period);
            case 8 -> random.nextLong(1, 1000);
            case 9 -> random.nextLong(period / 10 + 1);
            case 10 -> clockStepsBack && random.nextInt(3) == 0 ? -random.nextLong(2 * period) : 1;
            default -> period / Math.max(1, plan.limits().get(0).permits());
        };
        now = Math.min(Math.max(now, DAY), (1L << 52) - 1);
    }

    private Limit anyLimit() {
        return plan.limits().get(random.nextInt(plan.limits().size()));
    }

    /** Everything a decision says. */
    static String told(List<Decision> decisions) {
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
            told.append(", of ").append(decision.standings()).append('\n');
        }
        return told.toString();
    }
}
