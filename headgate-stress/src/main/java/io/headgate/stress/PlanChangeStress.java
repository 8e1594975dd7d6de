package io.headgate.stress;

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

/** Two callers use the old and the new plan of a key at the same time: both are charged. */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "both were charged")
@Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost or made twice")
@State
public class PlanChangeStress {

    private final Headgate headgate = Headgate.builder().build();
    private final RateLimiter before = headgate.limiter("api", Plan.parse("4/h"));
    private final RateLimiter after = headgate.limiter("api", Plan.parse("6/h"));

    public PlanChangeStress() {
        before.tryAcquire("key");
    }

    @Actor
    public void old() {
        before.tryAcquire("key");
    }

    @Actor
    public void young() {
        after.tryAcquire("key");
    }

    @Arbiter
    public void rest(I_Result r) {
        r.r1 = (int) after.peek("key").remaining();
    }
}
