package io.headgate.stress;

import io.headgate.Headgate;
import io.headgate.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/** Two callers compete for one permit: exactly one of them gets it. */
@JCStressTest
@Outcome(id = "true, false", expect = Expect.ACCEPTABLE, desc = "the first took it")
@Outcome(id = "false, true", expect = Expect.ACCEPTABLE, desc = "the second took it")
@Outcome(expect = Expect.FORBIDDEN, desc = "both or neither")
@State
public class LastPermitStress {

    private final RateLimiter limiter = Headgate.limiter("1/h");

    @Actor
    public void first(ZZ_Result r) {
        r.r1 = limiter.tryAcquire("key").allowed();
    }

    @Actor
    public void second(ZZ_Result r) {
        r.r2 = limiter.tryAcquire("key").allowed();
    }
}
