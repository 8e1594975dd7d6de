package io.headgate;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grant under one limit, without delay. */
final class PlainAllowed extends Decision.Allowed {

    private final long resetAfterMicros;
    private final long moreAfterMicros;

    PlainAllowed(
            Limit limit,
            String subject,
            long cost,
            long remaining,
            long resetAfterMicros,
            long moreAfterMicros,
            @Nullable Object stamp) {
        super(limit, subject, cost, remaining, stamp);
        this.resetAfterMicros = resetAfterMicros;
        this.moreAfterMicros = moreAfterMicros;
    }

    @Override
    long resetAfterMicros() {
        return resetAfterMicros;
    }

    @Override
    public List<Standing> limits() {
        return List.of(new Standing(limit(), remaining(), 0, resetAfterMicros, moreAfterMicros));
    }
}
