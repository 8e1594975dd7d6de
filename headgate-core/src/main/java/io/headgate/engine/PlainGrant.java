package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grant under one limit, without delay. */
final class PlainGrant extends Grant {

    private final Limit limit;
    private final int remaining; // no capacity exceeds Limit.MOST
    private final long resetAfterMicros;
    private final long moreAfterMicros;

    PlainGrant(
            Limit limit,
            String subject,
            long cost,
            long remaining,
            long resetAfterMicros,
            long moreAfterMicros,
            @Nullable Object stamp) {
        super(subject, cost, stamp);
        this.limit = limit;
        this.remaining = Math.toIntExact(remaining);
        this.resetAfterMicros = resetAfterMicros;
        this.moreAfterMicros = moreAfterMicros;
    }

    @Override
    public Limit limit() {
        return limit;
    }

    @Override
    public long remaining() {
        return remaining;
    }

    @Override
    long resetAfterMicros() {
        return resetAfterMicros;
    }

    @Override
    public List<Standing> standings() {
        return List.of(new Standing(limit, remaining, 0, resetAfterMicros, moreAfterMicros));
    }
}
