package io.headgate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grant under several limits, or of a slot ahead of now. Apart, so that the common grant stays small. */
final class DetailedAllowed extends Decision.Allowed {

    private final List<Standing> limits;
    private final long delayMicros;

    DetailedAllowed(
            Standing deciding,
            List<Standing> limits,
            String subject,
            long cost,
            long resetAfterMicros,
            long delayMicros,
            @Nullable Object stamp) {
        super(deciding.limit(), subject, cost, deciding.remaining(), resetAfterMicros, stamp);
        this.limits = List.copyOf(limits);
        this.delayMicros = delayMicros;
    }

    @Override
    public Duration delay() {
        return Standing.duration(delayMicros);
    }

    @Override
    public List<Standing> limits() {
        return limits;
    }
}
