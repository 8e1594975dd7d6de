package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Operation;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** A limit under an algorithm of the user's: computed here, compared and set in Redis. {@code own.lua} is the other side. */
final class OwnLimit {

    private static final byte[] NOTHING = {};

    private final Limit limit;
    private final Algorithm<Object> algorithm;
    private final byte[] header;

    /** What its strings start with says whose they are: whatever does not is the state of another limit. */
    @SuppressWarnings("unchecked")
    OwnLimit(Limit limit, String id, Algorithm<?> algorithm) {
        this.limit = limit;
        this.algorithm = (Algorithm<Object>) algorithm;
        byte[] name = id.getBytes(StandardCharsets.UTF_8);
        this.header = ByteBuffer.allocate(4 + name.length)
                .put((byte) 'u')
                .put((byte) '1')
                .putShort((short) name.length)
                .put(name)
                .array();
    }

    /**
     * What an operation would do.
     *
     * @param arguments what {@code own.lua} wants to know
     * @param taken the string of the state if it is granted; empty if it cannot be
     */
    @SuppressWarnings("ArrayRecordComponent") // never handed out, and never compared
    record Move(byte[][] arguments, byte[] taken) {}

    /** Whether the string is one of its own. */
    boolean wrote(byte @Nullable [] value) {
        return value != null && value.length >= header.length && startsWithHeader(value);
    }

    /**
     * Computes the operation from the string that is kept for the limit.
     *
     * @param charged the string of the state right after the charge that a refund takes back
     * @param refund how much of it
     */
    Move compute(byte @Nullable [] value, Operation operation, byte @Nullable [] charged, long refund, long nowMicros) {
        boolean resets = operation instanceof Operation.Reset;
        Object stored = value == null || resets ? null : decode(value);
        Object state = stored != null ? stored : algorithm.fresh(limit, nowMicros);
        if (limit.permits() == 0) {
            return move(value, new long[6], NOTHING, NOTHING, NOTHING);
        }
        Object sound = algorithm.rebase(state, limit, nowMicros);
        byte[] mended = stored != null && sound != stored ? encode(sound) : NOTHING;
        byte[] next = NOTHING;
        if (operation instanceof Operation.Refund && charged != null && stored != null) {
            sound = algorithm.refund(sound, decode(charged), limit, refund, nowMicros);
            next = encode(sound);
        }
        long cost = Program.cost(operation);
        long[] numbers = new long[6];
        numbers[4] = algorithm.remaining(sound, limit, nowMicros);
        numbers[5] = reset(sound, nowMicros);
        if (cost > limit.burst()) {
            return move(value, numbers, next, mended, NOTHING);
        }
        numbers[0] = algorithm.waitMicros(sound, limit, cost, nowMicros);
        boolean reserves = algorithm.reserves(sound, limit, cost);
        numbers[1] = reserves ? 1 : 0;
        if (!(operation instanceof Operation.Take) || (numbers[0] > 0 && !reserves)) {
            return move(value, numbers, next, mended, NOTHING);
        }
        Object taken = algorithm.take(sound, limit, cost, nowMicros);
        numbers[2] = algorithm.remaining(taken, limit, nowMicros);
        numbers[3] = reset(taken, nowMicros);
        byte[] after = encode(taken);
        return move(value, numbers, after, mended, after);
    }

    private Move move(byte @Nullable [] value, long[] numbers, byte[] next, byte[] mended, byte[] taken) {
        ByteBuffer doubles = ByteBuffer.allocate(numbers.length * Double.BYTES);
        for (long number : numbers) {
            doubles.putDouble((double) number);
        }
        byte[][] arguments = {
            Program.decimal(limit.permits()),
            Program.decimal(limit.burst()),
            value == null ? NOTHING : value,
            header,
            doubles.array(),
            next,
            mended
        };
        return new Move(arguments, taken);
    }

    private long reset(Object state, long nowMicros) {
        return Math.max(0, algorithm.fullAtMicros(state, limit) - nowMicros);
    }

    private Object decode(byte[] value) {
        ByteBuffer bytes = ByteBuffer.wrap(value, header.length, value.length - header.length);
        if (bytes.remaining() % Long.BYTES != 0) {
            throw unreadable(null);
        }
        long[] numbers = new long[bytes.remaining() / Long.BYTES];
        bytes.asLongBuffer().get(numbers);
        try {
            return algorithm.decode(numbers);
        } catch (IllegalArgumentException e) {
            throw unreadable(e);
        }
    }

    private StoreException unreadable(@Nullable Exception cause) {
        String message = "Redis keeps a state that " + limit.algorithm() + " cannot read";
        return cause == null
                ? new StoreException(Reason.UNREADABLE, message)
                : new StoreException(Reason.UNREADABLE, message, cause);
    }

    private byte[] encode(Object state) {
        long[] numbers = algorithm.encode(state);
        ByteBuffer bytes =
                ByteBuffer.allocate(header.length + numbers.length * Long.BYTES).put(header);
        for (long number : numbers) {
            bytes.putLong(number);
        }
        return bytes.array();
    }

    private boolean startsWithHeader(byte[] value) {
        for (int i = 0; i < header.length; i++) {
            if (value[i] != header[i]) {
                return false;
            }
        }
        return true;
    }
}
