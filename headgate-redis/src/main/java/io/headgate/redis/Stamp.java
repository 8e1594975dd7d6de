package io.headgate.redis;

import io.headgate.Limit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a refund needs to know of a charge: the state of every limit right after it, in the form that its {@link PlannedLimit} uses.
 *
 * @param charged in the order of the plan; {@code null} for a limit that was not charged
 */
@SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
record Stamp(Program program, @Nullable Object[] charged) {

    /** The state after the charge of the limit with the same id; {@code null} if it means nothing under the limit as it is now. */
    @Nullable
    Object of(PlannedLimit limit) {
        int place = program.ids.indexOf(limit.id);
        if (place < 0) {
            return null;
        }
        PlannedLimit then = program.limits[place];
        return limit.isLike(then) && keepsPace(then.limit, limit.limit) ? charged[place] : null;
    }

    /** Whether a bucket still drains at the same rate: at another rate it is unknown how much of a charge is left in it. */
    private static boolean keepsPace(Limit then, Limit now) {
        return !Scripts.isBucket(now.algorithm())
                || (then.permits() == now.permits() && then.periodMicros() == now.periodMicros());
    }

    /** Writes, for every limit of a plan, what its script needs to know of the charge. */
    void write(Program plan, ByteBuffer out) {
        for (PlannedLimit limit : plan.limits) {
            limit.writeCharge(of(limit), out);
        }
    }
}
