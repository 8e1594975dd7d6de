package io.headgate;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grant under several limits, or of a reserved future slot. A class of its own, so that the common grant stays small. */
final class DetailedAllowed extends Decision.Allowed {

    private final List<Standing> limits;
    private final long resetAfterMicros;
    private final long delayMicros;

    DetailedAllowed(
            Standing deciding,
            List<Standing> limits,
            String subject,
            long cost,
            long resetAfterMicros,
            long delayMicros,
            @Nullable Object stamp) {
        super(deciding.limit(), subject, cost, deciding.remaining(), stamp);
        this.limits = List.copyOf(limits);
        this.resetAfterMicros = resetAfterMicros;
        this.delayMicros = delayMicros;
    }

    @Override
    long resetAfterMicros() {
        return resetAfterMicros;
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
