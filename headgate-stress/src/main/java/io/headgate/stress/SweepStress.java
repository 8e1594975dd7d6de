package io.headgate.stress;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/**
 * A new key takes the place of a cell whose budget is full while a caller takes from that cell: the charge survives, there, in a new
 * cell or on a shared one.
 */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "it was charged before or after the sweep")
@Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost or made twice")
@State
public class SweepStress {

    private final RateLimiter limiter = Headgate.builder()
            .timeSource(() -> 1_700_000_000_000_000L)
            .maxKeys(1)
            .build()
            .limiter("sweep", Plan.parse("3/h"));

    public SweepStress() {
        limiter.refund((Decision.Allowed) limiter.tryAcquire("key"));
    }

    @Actor
    public void take() {
        limiter.tryAcquire("key");
    }

    @Actor
    public void sweep() {
        limiter.tryAcquire("newcomer");
    }

    @Arbiter
    public void rest(I_Result r) {
        r.r1 = (int) limiter.peek("key").remaining();
    }
}
