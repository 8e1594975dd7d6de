package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Standing;
import java.nio.ByteBuffer;

/** A limit under a user's algorithm: the script reports its standing for every operation, from values that were computed here. */
final class ComputedLimit extends PlannedLimit {

    /** The part of the limit that is computed here. */
    final CustomAlgorithmState own;

    ComputedLimit(Limit limit, String id, Algorithm<?> algorithm) {
        super(limit, id);
        this.own = new CustomAlgorithmState(limit, id, algorithm);
    }

    @Override
    Scripts.Shape shape() {
        return new Scripts.Shape(Scripts.OWN, false);
    }

    @Override
    boolean isLike(PlannedLimit other) {
        return other instanceof ComputedLimit;
    }

    @Override
    long[] numbers() {
        return new long[] {limit.permits(), limit.burst()};
    }

    /** None: the script is given the state after the refund. */
    @Override
    int chargeSize() {
        return 0;
    }

    @Override
    void write(Object charged, ByteBuffer out) {}

    /** Reads the standing of the limit from the reply. */
    Standing standing(ByteBuffer reply, long cost) {
        long remaining = (long) reply.getDouble();
        long wait = (long) reply.getDouble();
        long reset = (long) reply.getDouble();
        long retry = cost > limit.burst() ? Standing.NEVER : Math.max(0, wait);
        return new Standing(limit, remaining, retry, reset, -wait);
    }
}
