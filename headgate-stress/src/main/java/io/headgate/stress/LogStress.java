package io.headgate.stress;

import io.headgate.Headgate;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/** Two callers compete for one permit of a sliding-window log, whose states share memory: exactly one of them gets it. */
@JCStressTest
@Outcome(id = "1, 0", expect = Expect.ACCEPTABLE, desc = "the first took it")
@Outcome(id = "0, 1", expect = Expect.ACCEPTABLE, desc = "the second took it")
@Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost or made twice")
@State
public class LogStress {

    private final RateLimiter limiter =
            Headgate.builder().build().limiter("log", Plan.of(Limit.parse("1/h").using("sliding-window-log")));

    @Actor
    public void first(II_Result r) {
        r.r1 = limiter.tryAcquire("key").allowed() ? 1 : 0;
    }

    @Actor
    public void second(II_Result r) {
        r.r2 = limiter.tryAcquire("key").allowed() ? 1 : 0;
    }
}
