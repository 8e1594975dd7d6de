package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grant under several limits, or of a reserved future slot. A class of its own, so that the common grant stays small. */
final class DetailedGrant extends Grant {

    private final Standing deciding;
    private final List<Standing> standings;
    private final long resetAfterMicros;
    private final long delayMicros;

    DetailedGrant(
            Standing deciding,
            List<Standing> standings,
            String subject,
            long cost,
            long resetAfterMicros,
            long delayMicros,
            @Nullable Object stamp) {
        super(subject, cost, stamp);
        this.deciding = deciding;
        this.standings = List.copyOf(standings);
        this.resetAfterMicros = resetAfterMicros;
        this.delayMicros = delayMicros;
    }

    @Override
    public Limit limit() {
        return deciding.limit();
    }

    @Override
    public long remaining() {
        return deciding.remaining();
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
    public List<Standing> standings() {
        return standings;
    }
}
