package io.headgate.redis.script;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.engine.EngineAlgorithm;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A limit under a user's algorithm: computed here, compared and set in Redis. {@code custom.lua} is the counterpart. */
final class CustomAlgorithmState {

    /** How many numbers {@code custom.lua} takes for an operation. */
    private static final int NUMBERS = 10;

    private static final byte[] TAG = {'u', '1'};
    private static final byte[] NOTHING = {};

    private final Limit limit;
    private final EngineAlgorithm<Object> algorithm;
    private final byte[] head;

    /** Every encoded state starts with the text of the limit, as it was when the state was written. */
    @SuppressWarnings("unchecked")
    CustomAlgorithmState(Limit limit, Algorithm<?> algorithm) {
        this.limit = limit;
        this.algorithm = EngineAlgorithm.of((Algorithm<Object>) algorithm);
        byte[] text = limit.text().getBytes(StandardCharsets.UTF_8);
        this.head = ByteBuffer.allocate(TAG.length + 2 + text.length)
                .put(TAG)
                .putShort((short) text.length)
                .put(text)
                .array();
    }

    /**
     * Computes the operation from the string that is kept for the limit.
     *
     * @param charge the encoded state right after the charge that a refund takes back
     * @param refund how many permits of that charge to take back
     * @return the argument of {@code custom.lua}
     */
    byte[] compute(
            byte @Nullable [] value, Operation operation, byte @Nullable [] charge, long refund, long nowMicros) {
        if (limit.permits() == 0) {
            return NOTHING;
        }
        try {
            return computed(
                    operation instanceof Operation.Reset || !startsWith(TAG, value) ? null : value,
                    operation,
                    charge,
                    refund,
                    nowMicros);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw new StoreException(Reason.OTHER, "the algorithm " + limit.algorithm() + " failed: " + e, e);
        }
    }

    private byte[] computed(
            byte @Nullable [] value, Operation operation, byte @Nullable [] charge, long refund, long nowMicros) {
        Object stored = value == null ? null : read(value, nowMicros);
        Object state = algorithm.rebase(stored != null ? stored : algorithm.fresh(limit, nowMicros), limit, nowMicros);
        byte[] mended = stored != null && (state != stored || !startsWith(head, value)) ? encode(state) : NOTHING;
        byte[] next = NOTHING;
        if (charge != null && stored != null) {
            state = algorithm.refund(state, decode(charge), limit, refund, nowMicros);
            next = encode(state);
        }
        long cost = Program.cost(operation);
        long[] numbers = new long[NUMBERS];
        stand(state, nowMicros, numbers, 6);
        if (cost <= limit.burst()) {
            numbers[0] = algorithm.waitMicros(state, limit, cost, nowMicros);
            boolean reserves = algorithm.reserves(state, limit, cost);
            numbers[1] = reserves ? algorithm.slotMicros(state, limit, cost, nowMicros) : -1;
            if (operation instanceof Operation.Take && (numbers[0] == 0 || reserves)) {
                Object taken = algorithm.take(state, limit, cost, nowMicros);
                stand(taken, nowMicros, numbers, 2);
                next = encode(taken);
            }
        }
        return argument(numbers, value == null ? NOTHING : value, next, mended);
    }

    private static byte[] argument(long[] numbers, byte[]... strings) {
        int size = numbers.length * Double.BYTES;
        for (byte[] each : strings) {
            size += Integer.BYTES + each.length;
        }
        ByteBuffer bytes = ByteBuffer.allocate(size);
        for (long number : numbers) {
            bytes.putDouble((double) number);
        }
        for (byte[] each : strings) {
            bytes.putInt(each.length).put(each);
        }
        return bytes.array();
    }

    /** Writes what remains, and the times until the budget is full, more remains, and the state may be forgotten. */
    private void stand(Object state, long nowMicros, long[] numbers, int at) {
        long remaining = algorithm.remaining(state, limit, nowMicros);
        numbers[at] = remaining;
        numbers[at + 1] = Math.max(0, algorithm.fullAtMicros(state, limit, nowMicros) - nowMicros);
        numbers[at + 2] = algorithm.moreMicros(state, limit, remaining, nowMicros);
        numbers[at + 3] = Math.max(0, algorithm.forgettableAtMicros(state, limit, nowMicros) - nowMicros);
    }

    /**
     * The state; {@code null} if it may be forgotten under the numbers it was written with, and these have changed: then nothing is
     * carried over.
     */
    private @Nullable Object read(byte[] value, long nowMicros) {
        Object state = decode(value);
        if (startsWith(head, value)) {
            return state;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(value).position(TAG.length);
            byte[] written = new byte[bytes.getShort()];
            bytes.get(written);
            Limit then =
                    Limit.parse(new String(written, StandardCharsets.UTF_8)).using(limit.algorithm());
            Object sound = algorithm.rebase(state, then, nowMicros);
            return then.permits() > 0 && algorithm.forgettableAtMicros(sound, then, nowMicros) <= nowMicros
                    ? null
                    : decode(value);
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
    }

    private Object decode(byte[] value) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(value).position(TAG.length);
            bytes.position(bytes.position() + 2 + bytes.getShort(bytes.position()));
            long[] numbers = new long[bytes.remaining() / Long.BYTES];
            bytes.asLongBuffer().get(numbers);
            return algorithm.decode(numbers);
        } catch (IllegalArgumentException | BufferUnderflowException | IndexOutOfBoundsException e) {
            throw unreadable(e);
        }
    }

    private StoreException unreadable(Exception cause) {
        return new StoreException(
                Reason.UNREADABLE, "Redis keeps a state that " + limit.algorithm() + " cannot read", cause);
    }

    private byte[] encode(Object state) {
        long[] numbers = algorithm.encode(state);
        ByteBuffer bytes =
                ByteBuffer.allocate(head.length + numbers.length * Long.BYTES).put(head);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    private static boolean startsWith(byte[] start, byte @Nullable [] value) {
        return value != null
                && value.length >= start.length
                && Arrays.equals(start, 0, start.length, value, 0, start.length);
    }
}
