package io.headgate.redis;

import io.headgate.Limit;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** One limit of a plan, as its script has it and as the replies are read here. */
abstract sealed class PlannedLimit permits KeptLimit, ToldLimit {

    final Limit limit;
    final String id;

    PlannedLimit(Limit limit, String id) {
        this.limit = limit;
        this.id = id;
    }

    /** What its part of the script depends on. */
    abstract Scripts.Shape shape();

    /** What its limit is called among those of the same algorithm; {@code 0} if there is no other. */
    final String name() {
        return id.substring(limit.algorithm().length() + 1);
    }

    final boolean isNamed() {
        return !name().equals("0");
    }

    /** Whether what the other notes of a charge has the same form: algorithms of a user can go by any id. */
    abstract boolean isLike(PlannedLimit other);

    /** The numbers that its script wants; those of a calendar are put in by {@link CalendarWindows}. */
    abstract long[] numbers();

    /** How many numbers its script is told for a refund. */
    abstract int chargeSize();

    /** Writes them; numbers that no charge has, if nothing of it can be found any more. */
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
