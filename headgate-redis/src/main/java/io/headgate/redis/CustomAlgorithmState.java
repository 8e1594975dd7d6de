package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A limit under a user's algorithm: computed here, compared and set in Redis. {@code own.lua} is the counterpart. */
final class CustomAlgorithmState {

    /** How many arguments {@code own.lua} takes. */
    static final int ARGUMENTS = 5;

    /** How many numbers it takes for an operation. */
    private static final int NUMBERS = 10;

    private static final byte[] NOTHING = {};

    private final Limit limit;
    private final Algorithm<Object> algorithm;
    private final byte[] header;
    private final byte[] text;

    /**
     * Every encoded state starts with the limit's id: a string that does not is the state of another limit. The text of the limit
     * follows, as it was when the state was written.
     */
    @SuppressWarnings("unchecked")
    CustomAlgorithmState(Limit limit, String id, Algorithm<?> algorithm) {
        this.limit = limit;
        this.algorithm = (Algorithm<Object>) algorithm;
        byte[] name = counted(id);
        this.header = ByteBuffer.allocate(2 + name.length)
                .put((byte) 'u')
                .put((byte) '1')
                .put(name)
                .array();
        this.text = counted(limit.text());
    }

    private static byte[] counted(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(2 + bytes.length)
                .putShort((short) bytes.length)
                .put(bytes)
                .array();
    }

    /**
     * What an operation would do.
     *
     * @param arguments the arguments of {@code own.lua}
     * @param taken the encoded state if the operation is granted; empty if it cannot be
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Move(byte[][] arguments, byte[] taken) {}

    /** Whether this limit wrote the string. */
    boolean wrote(byte @Nullable [] value) {
        return value != null && startsWith(header, value, 0);
    }

    /**
     * Computes the operation from the string that is kept for the limit.
     *
     * @param charged the encoded state right after the charge that a refund takes back
     * @param refund how many permits of that charge to take back
     */
    Move compute(byte @Nullable [] value, Operation operation, byte @Nullable [] charged, long refund, long nowMicros) {
        try {
            return move(value, operation, charged, refund, nowMicros);
        } catch (StoreException e) {
            throw e;
        } catch (RuntimeException | Error e) {
            throw new StoreException(Reason.OTHER, "the algorithm " + limit.algorithm() + " failed: " + e, e);
        }
    }

    private Move move(
            byte @Nullable [] value, Operation operation, byte @Nullable [] charged, long refund, long nowMicros) {
        boolean resets = operation instanceof Operation.Reset;
        Object stored = value == null || resets ? null : read(value, nowMicros);
        Object state = stored != null ? stored : algorithm.fresh(limit, nowMicros);
        if (limit.permits() == 0) {
            return move(value, new long[NUMBERS], NOTHING, NOTHING, NOTHING);
        }
        Object sound = algorithm.rebase(state, limit, nowMicros);
        boolean mends = value != null && stored != null && (sound != stored || !startsWith(text, value, header.length));
        byte[] mended = mends ? encode(sound) : NOTHING;
        byte[] next = NOTHING;
        if (operation instanceof Operation.Refund && charged != null && stored != null) {
            sound = algorithm.refund(sound, decode(charged), limit, refund, nowMicros);
            next = encode(sound);
        }
        long cost = Program.cost(operation);
        long[] numbers = new long[NUMBERS];
        stand(sound, nowMicros, numbers, 6);
        if (cost > limit.burst()) {
            return move(value, numbers, next, mended, NOTHING);
        }
        numbers[0] = algorithm.waitMicros(sound, limit, cost, nowMicros);
        boolean reserves = algorithm.reserves(sound, limit, cost);
        numbers[1] = reserves ? algorithm.slotMicros(sound, limit, cost, nowMicros) : -1;
        if (!(operation instanceof Operation.Take) || (numbers[0] > 0 && !reserves)) {
            return move(value, numbers, next, mended, NOTHING);
        }
        Object taken = algorithm.take(sound, limit, cost, nowMicros);
        stand(taken, nowMicros, numbers, 2);
        byte[] after = encode(taken);
        return move(value, numbers, after, mended, after);
    }

    private Move move(byte @Nullable [] value, long[] numbers, byte[] next, byte[] mended, byte[] taken) {
        ByteBuffer doubles = ByteBuffer.allocate(numbers.length * Double.BYTES);
        for (long number : numbers) {
            doubles.putDouble((double) number);
        }
        byte[][] arguments = {value == null ? NOTHING : value, header, doubles.array(), next, mended};
        return new Move(arguments, taken);
    }

    /** Writes what remains, and the times until the budget is full, more remains, and the state may be forgotten. */
    private void stand(Object state, long nowMicros, long[] numbers, int at) {
        long remaining = algorithm.remaining(state, limit, nowMicros);
        numbers[at] = remaining;
        numbers[at + 1] = Math.max(0, algorithm.fullAtMicros(state, limit) - nowMicros);
        numbers[at + 2] = algorithm.moreMicros(state, limit, remaining, nowMicros);
        numbers[at + 3] = Math.max(0, algorithm.forgettableAtMicros(state, limit) - nowMicros);
    }

    /**
     * The state; {@code null} if it may be forgotten under the numbers it was written with, and these have changed: then nothing is
     * carried over.
     */
    private @Nullable Object read(byte[] value, long nowMicros) {
        Object state = decode(value);
        if (startsWith(text, value, header.length)) {
            return state;
        }
        try {
            ByteBuffer bytes = ByteBuffer.wrap(value).position(header.length);
            byte[] written = new byte[bytes.getShort()];
            bytes.get(written);
            Limit then =
                    Limit.parse(new String(written, StandardCharsets.UTF_8)).using(limit.algorithm());
            Object sound = algorithm.rebase(state, then, nowMicros);
            return then.permits() > 0 && algorithm.forgettableAtMicros(sound, then) <= nowMicros ? null : decode(value);
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
    }

    private Object decode(byte[] value) {
        try {
            ByteBuffer bytes = ByteBuffer.wrap(value).position(header.length);
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
        ByteBuffer bytes = ByteBuffer.allocate(header.length + text.length + numbers.length * Long.BYTES)
                .put(header)
                .put(text);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    private static boolean startsWith(byte[] start, byte[] value, int from) {
        return value.length >= from + start.length
                && Arrays.equals(start, 0, start.length, value, from, from + start.length);
    }
}
