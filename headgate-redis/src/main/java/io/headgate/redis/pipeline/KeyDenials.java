package io.headgate.redis.pipeline;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.Standing;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What {@link Denials} remember of one key.
 *
 * @param capacity the largest cost that is not impossible
 * @param denials in order of rising cost
 */
record KeyDenials(Key key, Plan plan, long capacity, List<Denial> denials) {

    /** How many different costs of one key are remembered. */
    static final int COSTS = 4;

    static KeyDenials none(Key key, Plan plan) {
        long capacity = plan.limits().stream().mapToLong(Limit::burst).min().orElseThrow();
        return new KeyDenials(key, plan, capacity, List.of());
    }

    /** The denial, and of the others those of other costs that still hold. */
    KeyDenials with(Denial denial, int epoch) {
        List<Denial> all = new ArrayList<>(COSTS + 1);
        all.add(denial);
        for (Denial each : denials) {
            if (each.cost != denial.cost && each.holds(epoch, denial.received)) {
                all.add(each);
            }
        }
        all.sort(Comparator.comparingLong(each -> each.cost));
        return new KeyDenials(key, plan, capacity, List.copyOf(all.subList(0, Math.min(COSTS, all.size()))));
    }

    /** The denial that holds for that cost, if there is one. */
    @Nullable
    Decision answer(long cost, int epoch, long now) {
        if (cost > capacity) {
            return null;
        }
        Denial closest = null;
        int holding = 0;
        for (Denial each : denials) {
            if (each.holds(epoch, now)) {
                holding++;
                closest = each.cost <= cost ? each : closest;
            }
        }
        return closest != null && (closest.cost == cost || holding == COSTS) ? closest.repeat(now) : null;
    }

    long left(int epoch, long now) {
        long left = 0;
        for (Denial each : denials) {
            left = each.epoch == epoch ? Math.max(left, each.sent + each.lasts - now) : left;
        }
        return left;
    }

    /** One denial: when its call was sent and its answer received, and how long it holds after the call was sent. */
    static final class Denial {

        final long cost;
        final int epoch;
        final long sent;
        final long received;
        final long lasts;

        private final Decision.Denied denied;

        /** Empty for a plan of one limit, which the denial itself describes. */
        private final List<Standing> standings;

        Denial(long cost, Decision.Denied denied, Denials.Sent sent, long received, long capNanos) {
            this.cost = cost;
            this.denied = denied;
            this.standings = denied.standings().size() == 1 ? List.of() : denied.standings();
            this.epoch = sent.epoch();
            this.sent = sent.nanos();
            this.received = received;
            // Redis may have decided at the end of a microsecond, but counts the wait from its beginning.
            this.lasts = Math.min((denied.retryAfterMicros() - 1) * 1_000 + 1, capNanos);
        }

        boolean holds(int currentEpoch, long now) {
            return epoch == currentEpoch && now - sent < lasts;
        }

        Decision repeat(long now) {
            long elapsed = (now - received) / 1_000;
            return new Decision.Denied(
                    denied.limit(),
                    denied.remaining(),
                    denied.retryAfterMicros() - elapsed,
                    Math.max(0, denied.resetAfterMicros() - elapsed),
                    standings.isEmpty() ? standings : standings(elapsed));
        }

        private List<Standing> standings(long elapsed) {
            List<Standing> later = new ArrayList<>(standings.size());
            for (Standing each : standings) {
                later.add(new Standing(
                        each.limit(),
                        each.remaining(),
                        Math.max(0, each.retryAfterMicros() - elapsed),
                        Math.max(0, each.resetAfterMicros() - elapsed),
                        each.moreAfterMicros() == 0 ? 0 : Math.max(1, each.moreAfterMicros() - elapsed)));
            }
            return later;
        }
    }
}
