package io.headgate.redis;

import io.headgate.Limit;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a refund needs of a charge.
 *
 * @param charge for every limit the numbers its script noted
 * @param states for every limit that was computed here its string after the charge; none if no limit was
 */
@SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
record Stamp(Program program, byte[] charge, byte[][] states) {

    /** The numbers in the order another plan has its limits in; nothing for one that was not charged. */
    byte[] under(Program other) {
        if (other == program) {
            return charge;
        }
        ByteBuffer numbers = ByteBuffer.allocate(other.stampSize);
        for (int i = 0; i < other.ids.size(); i++) {
            int place = program.ids.indexOf(other.ids.get(i));
            if (place >= 0
                    && program.stampSizes[place] == other.stampSizes[i]
                    && keepsPace(program.limits.get(place), other.limits.get(i))) {
                int at = Arrays.stream(program.stampSizes, 0, place).sum();
                numbers.put(charge, at, program.stampSizes[place]);
            } else {
                for (int left = other.stampSizes[i]; left > 0; left -= Double.BYTES) {
                    numbers.putDouble(-1);
                }
            }
        }
        return numbers.array();
    }

    /** The string of that limit after the charge, if it was computed here. */
    byte @Nullable [] own(String id) {
        int place = program.ids.indexOf(id);
        return place < 0 || place >= states.length || states[place].length == 0 ? null : states[place];
    }

    /** What is left of a charge in a bucket cannot be told once the bucket flows off at another pace. */
    private static boolean keepsPace(Limit then, Limit now) {
        return !Scripts.isBucket(now.algorithm())
                || (then.permits() == now.permits() && then.periodMicros() == now.periodMicros());
    }
}
