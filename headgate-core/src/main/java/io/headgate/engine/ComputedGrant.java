package io.headgate.engine;

import io.headgate.Limit;
import io.headgate.Standing;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A grant that knows how its limits stand because a store has told, because a slot was reserved, or because the state will change. */
final class ComputedGrant extends Grant {

    private final List<Standing> standings;
    private final long delayMicros;
    private final @Nullable BoundPlan chargedUnder;
    private final long chargedMicros;

    ComputedGrant(List<Standing> standings, String subject, long cost, long delayMicros, @Nullable Object stamp) {
        this(standings, subject, cost, delayMicros, stamp, null, 0);
    }

    ComputedGrant(
            List<Standing> standings,
            String subject,
            long cost,
            long delayMicros,
            @Nullable Object stamp,
            @Nullable BoundPlan chargedUnder,
            long chargedMicros) {
        super(subject, cost, stamp);
        this.standings = List.copyOf(standings);
        this.delayMicros = delayMicros;
        this.chargedUnder = chargedUnder;
        this.chargedMicros = chargedMicros;
    }

    @Override
    public Limit limit() {
        return Standings.least(standings).limit();
    }

    @Override
    public long remaining() {
        return Standings.least(standings).remaining();
    }

    @Override
    long resetAfterMicros() {
        return Standings.longestReset(standings);
    }

    @Override
    public Duration delay() {
        return Standing.duration(delayMicros);
    }

    @Override
    public List<Standing> standings() {
        return standings;
    }

    @Override
    @Nullable
    BoundPlan chargedUnder() {
        return chargedUnder;
    }

    @Override
    long chargedMicros() {
        return chargedMicros;
    }
}
