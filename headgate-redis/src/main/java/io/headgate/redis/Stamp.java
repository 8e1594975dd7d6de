package io.headgate.redis;

import io.headgate.Limit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a refund needs of a charge: of every limit its state right after, in the form its {@link PlannedLimit} has it in.
 *
 * @param charged in the order of the plan; {@code null} for a limit that was not charged
 */
@SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
record Stamp(Program program, @Nullable Object[] charged) {

    /** What was charged to the limit of that id, as far as it can be told under the limit as it is now. */
    @Nullable
    Object of(PlannedLimit limit) {
        int place = program.ids.indexOf(limit.id);
        if (place < 0) {
            return null;
        }
        PlannedLimit then = program.limits[place];
        return limit.isLike(then) && keepsPace(then.limit, limit.limit) ? charged[place] : null;
    }

    /** What is left of a charge in a bucket cannot be told once the bucket flows off at another pace. */
    private static boolean keepsPace(Limit then, Limit now) {
        return !Scripts.isBucket(now.algorithm())
                || (then.permits() == now.permits() && then.periodMicros() == now.periodMicros());
    }

    /** For every limit of a plan what its script is to be told of the charge. */
    void write(Program plan, ByteBuffer out) {
        for (PlannedLimit limit : plan.limits) {
            limit.writeCharge(of(limit), out);
        }
    }
}
