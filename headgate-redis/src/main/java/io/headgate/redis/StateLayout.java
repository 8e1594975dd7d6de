package io.headgate.redis;

import io.headgate.Algorithm;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** The form in which the scripts write the states of the built-in algorithms; for a log, its summary. */
final class StateLayout {

    private static final StateLayout LEVEL = new StateLayout("2 7a 4b 4c 4d 4e 4f 6g + *", "abcde");
    private static final StateLayout WINDOW = new StateLayout("2 7a 4c * #b", "ac");
    private static final StateLayout COUNTER = new StateLayout("2 7a 6b 4c 4d 4e *", "ae");
    private static final StateLayout PARTS = new StateLayout("2 6a 6b 4c 4d 4e 4f 4g 4h 4i 4j 4k 4l 4m 4n *", "abc");
    private static final StateLayout LOG = new StateLayout("2 7a 6b 3c 1 4d 6 *", "da");

    private static final int NAME = -1;
    private static final int DIGITS = -2;
    private static final int MORE = -3;

    private final int[] widths;
    private final int[] places;
    private final int[] charge;
    private final int numbers;

    /**
     * @param fields the width of each field in bytes, and a letter for the place of its number among {@linkplain Algorithm#encode
     *     those of the state}; no letter for a field that is skipped, such as the tag of the form; a star for the name of the limit, a
     *     hash for decimal digits and a blank, and a plus for further pairs of numbers, which come after the others if the tag ends
     *     in 2
     * @param charge the letters of the numbers that a refund sends
     */
    private StateLayout(String fields, String charge) {
        String[] each = fields.split(" ", -1);
        this.widths = new int[each.length];
        this.places = new int[each.length];
        int count = 0;
        for (int i = 0; i < each.length; i++) {
            boolean number = each[i].length() > 1;
            widths[i] = switch (each[i].charAt(0)) {
                case '*' -> NAME;
                case '#' -> DIGITS;
                case '+' -> MORE;
                default -> each[i].charAt(0) - '0';
            };
            places[i] = number ? each[i].charAt(1) - 'a' : NAME;
            count += number ? 1 : 0;
        }
        this.numbers = count;
        this.charge = charge.chars().map(letter -> letter - 'a').toArray();
    }

    /** The form of the algorithm's states, as the Lua file of that name describes it. */
    static StateLayout of(String algorithm) {
        return switch (algorithm) {
            case "fixed-window" -> WINDOW;
            case "sliding-window-counter" -> COUNTER;
            case "sliding-window" -> PARTS;
            case "sliding-window-log" -> LOG;
            default -> LEVEL;
        };
    }

    /** Reads a state. */
    Object read(ByteBuffer reply, Algorithm<Object> algorithm, int nameSize) {
        long[] state = new long[numbers];
        boolean more = reply.get(reply.position() + 1) == '2';
        for (int i = 0; i < widths.length; i++) {
            if (widths[i] == MORE) {
                state = more ? further(reply, state) : state;
            } else if (places[i] < 0) {
                reply.position(reply.position() + (widths[i] == NAME ? nameSize : widths[i]));
            } else {
                state[places[i]] = widths[i] == DIGITS ? digits(reply) : number(reply, widths[i]);
            }
        }
        return algorithm.decode(state);
    }

    /** The numbers, followed by as many pairs as the reply says. */
    private static long[] further(ByteBuffer reply, long[] numbers) {
        long count = 2 * number(reply, 4);
        if (count > reply.remaining() / 4) {
            throw new IllegalArgumentException("a state with " + count + " further numbers");
        }
        long[] all = Arrays.copyOf(numbers, numbers.length + (int) count);
        for (int i = numbers.length; i < all.length; i++) {
            all[i] = number(reply, 4);
        }
        return all;
    }

    private static long number(ByteBuffer bytes, int width) {
        long number = 0;
        for (int i = 0; i < width; i++) {
            number = number << 8 | (bytes.get() & 0xff);
        }
        return number;
    }

    private static long digits(ByteBuffer bytes) {
        long number = 0;
        for (byte digit = bytes.get(); digit != ' '; digit = bytes.get()) {
            if (digit < '0' || digit > '9') {
                throw new IllegalArgumentException("a number with a digit " + digit);
            }
            number = number * 10 + (digit - '0');
        }
        return number;
    }

    /** How many numbers a refund sends. */
    int chargeSize() {
        return charge.length;
    }

    /** Writes the numbers that a refund sends, of the state right after the charge. */
    void writeCharge(long[] charged, ByteBuffer out) {
        for (int place : charge) {
            long number = charged[place];
            out.putDouble((double) (number < 0 ? number & 0xffff_ffffL : number)); // a number modulo 2^32
        }
    }
}
