package io.headgate.stress;

import io.headgate.Headgate;
import io.headgate.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;

/** Two callers compete under two limits, the first with one permit: one caller is charged in both limits, the other in neither. */
@JCStressTest
@Outcome(id = "1, 0, 1", expect = Expect.ACCEPTABLE, desc = "the first took both")
@Outcome(id = "0, 1, 1", expect = Expect.ACCEPTABLE, desc = "the second took both")
@Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost or made twice")
@State
public class PlanStress {

    private final RateLimiter limiter = Headgate.limiter("1/h", "2/day");

    @Actor
    public void first(III_Result r) {
        r.r1 = limiter.tryAcquire("key").allowed() ? 1 : 0;
    }

    @Actor
    public void second(III_Result r) {
        r.r2 = limiter.tryAcquire("key").allowed() ? 1 : 0;
    }

    @Arbiter
    public void rest(III_Result r) {
        r.r3 = (int) limiter.peek("key").standings().get(1).remaining();
    }
}
