package io.headgate.redis;

import io.headgate.Limit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One limit of a plan: what its script needs, and how its part of a reply is read. */
abstract sealed class PlannedLimit permits ScriptedLimit, ComputedLimit {

    final Limit limit;
    final String id;

    PlannedLimit(Limit limit, String id) {
        this.limit = limit;
        this.id = id;
    }

    /** What the limit's part of the script depends on. */
    abstract Scripts.Shape shape();

    /** The limit's name among those of the same algorithm; {@code 0} for the first one that has none. */
    final String name() {
        return id.substring(limit.algorithm().length() + 1);
    }

    final boolean isNamed() {
        return !name().equals("0");
    }

    /** Whether the other limit notes a charge in the same form: a user's algorithm can have any id. */
    abstract boolean isLike(PlannedLimit other);

    /** The numbers that the script takes for this limit; {@link CalendarWindows} fills in those of a calendar. */
    abstract long[] numbers();

    /** How many numbers the script takes for a refund to this limit. */
    abstract int chargeSize();

    /** Writes the numbers for a refund; if the charge cannot be found any more, numbers that no charge has. */
    final void writeCharge(@Nullable Object charged, ByteBuffer out) {
        if (charged != null) {
            write(charged, out);
        } else {
            for (int left = chargeSize(); left > 0; left--) {
                out.putDouble(-1);
            }
        }
    }

    abstract void write(Object charged, ByteBuffer out);
}
