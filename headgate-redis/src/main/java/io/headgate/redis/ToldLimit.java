package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Standing;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * A limit whose script tells for every operation how it stands, because its state stays there: a log, which can be large, or a state
 * of the user's, of which the script was told the same before.
 */
final class ToldLimit extends PlannedLimit {

    /** The side of it that is computed here; {@code null} for a log. */
    final @Nullable OwnLimit own;

    private final int chargeSize;

    private ToldLimit(Limit limit, String id, @Nullable OwnLimit own, int chargeSize) {
        super(limit, id);
        this.own = own;
        this.chargeSize = chargeSize;
    }

    static ToldLimit log(Limit limit, String id, Scripts scripts) {
        return new ToldLimit(limit, id, null, scripts.chargeSize(limit.algorithm()));
    }

    static ToldLimit own(Limit limit, String id, Algorithm<?> algorithm) {
        return new ToldLimit(limit, id, new OwnLimit(limit, id, algorithm), 0);
    }

    @Override
    Scripts.Shape shape() {
        return own == null ? new Scripts.Shape(limit.algorithm(), isNamed()) : new Scripts.Shape(Scripts.OWN, false);
    }

    @Override
    boolean isLike(PlannedLimit other) {
        return other instanceof ToldLimit told && (told.own == null) == (own == null);
    }

    @Override
    long[] numbers() {
        return new long[] {limit.permits(), own == null ? limit.periodMicros() : limit.burst()};
    }

    @Override
    int chargeSize() {
        return chargeSize;
    }

    @Override
    void write(Object charged, ByteBuffer out) {
        if (own == null) {
            out.put((byte[]) charged);
        }
    }

    /** How the script says that the limit stands. */
    Standing standing(ByteBuffer reply, long cost) {
        long remaining = (long) reply.getDouble();
        long wait = (long) reply.getDouble();
        long reset = (long) reply.getDouble();
        long retry = cost > limit.burst() ? Standing.NEVER : Math.max(0, wait);
        return new Standing(limit, remaining, retry, reset, -wait);
    }

    /** What a refund of this operation would need: what the script says, or the string that was computed here. */
    @Nullable
    Object charge(ByteBuffer reply, byte @Nullable [] computed) {
        if (own != null) {
            return computed;
        }
        byte[] charge = new byte[chargeSize * Double.BYTES];
        reply.get(charge);
        return charge;
    }
}
