package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.Standing;
import io.headgate.StoreException;
import io.headgate.StoreException.Reason;
import io.headgate.Window;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A limit whose state comes with the reply, as it was before the operations: the same algorithm computes the results from it here. So
 * the script only decides and writes, and reports no value that may not be needed.
 */
sealed class ScriptedLimit extends PlannedLimit permits LogLimit {

    private static final byte NONE = '-';

    final Algorithm<Object> algorithm;
    private final StateLayout form;
    private final int nameSize;

    @SuppressWarnings("unchecked")
    ScriptedLimit(Limit limit, String id, Algorithm<?> algorithm) {
        super(limit, id);
        this.algorithm = (Algorithm<Object>) algorithm;
        this.form = StateLayout.of(limit.algorithm());
        this.nameSize = isNamed() ? name().getBytes(StandardCharsets.UTF_8).length : 0;
    }

    @Override
    Scripts.Shape shape() {
        boolean calendar = limit.window() instanceof Window.Calendar;
        return new Scripts.Shape(calendar ? Scripts.CALENDAR : limit.algorithm(), isNamed());
    }

    @Override
    boolean isLike(PlannedLimit other) {
        return other instanceof ScriptedLimit;
    }

    @Override
    long[] numbers() {
        if (limit.window() instanceof Window.Calendar) {
            return new long[] {limit.permits(), 0, 0, 0, 0};
        }
        return switch (limit.algorithm()) {
            case "token-bucket", "leaky-bucket" -> new long[] {limit.permits(), limit.periodMicros(), limit.burst()};
            case "sliding-window" -> new long[] {limit.permits(), (limit.periodMicros() + 9) / 10};
            default -> new long[] {limit.permits(), limit.periodMicros()};
        };
    }

    /** The state that the script found, or a fresh one if it found none. */
    Object read(ByteBuffer reply, long nowMicros) {
        if (reply.get(reply.position()) == NONE) {
            reply.get();
            return algorithm.fresh(limit, nowMicros);
        }
        try {
            return form.read(reply, algorithm, nameSize);
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new StoreException(Reason.UNREADABLE, "Redis keeps a state that nobody can have written", e);
        }
    }

    /** The state after a reset. */
    Object reset(Object state, long nowMicros) {
        return algorithm.fresh(limit, nowMicros);
    }

    /** The state after a refund. */
    Object refund(Object state, Stamp stamp, long claimed, long nowMicros) {
        Object charged = limit.permits() == 0 ? null : stamp.of(this);
        return charged == null ? state : algorithm.refund(state, charged, limit, claimed, nowMicros);
    }

    @Override
    int chargeSize() {
        return form.chargeSize();
    }

    @Override
    void write(Object charged, ByteBuffer out) {
        form.writeCharge(algorithm.encode(charged), out);
    }

    /** The standing of the limit in that state. */
    Standing standing(Object state, long retryAfterMicros, long nowMicros) {
        if (limit.permits() == 0) {
            return new Standing(limit, 0, retryAfterMicros, 0, 0);
        }
        long remaining = algorithm.remaining(state, limit, nowMicros);
        long reset = Math.max(0, algorithm.fullAtMicros(state, limit) - nowMicros);
        long more = algorithm.moreMicros(state, limit, remaining, nowMicros);
        return new Standing(limit, remaining, retryAfterMicros, reset, more);
    }
}
