package io.headgate.redis.script;

import org.jspecify.annotations.Nullable;

/**
 * What a refund needs to know of a charge.
 *
 * @param charges what the script returned for each limit of the plan
 */
@SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
record Stamp(Program program, byte[][] charges) {

    /** The charge of the limit with the same id; {@code null} if there is none, or another algorithm of the same id made it. */
    byte @Nullable [] of(PlannedLimit limit) {
        for (int i = 0; i < charges.length; i++) {
            PlannedLimit charged = program.limits[i];
            if (charged.id().equals(limit.id()) && (charged.custom() == null) == (limit.custom() == null)) {
                return charges[i];
            }
        }
        return null;
    }
}
