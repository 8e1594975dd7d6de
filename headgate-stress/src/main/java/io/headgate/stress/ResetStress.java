package io.headgate.stress;

import io.headgate.Headgate;
import io.headgate.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** One caller takes a permit while another resets the key: the charge comes before or after the reset and is never lost in between. */
@JCStressTest
@Outcome(id = "3", expect = Expect.ACCEPTABLE, desc = "taken, then reset")
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "reset, then taken")
@Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost or made twice")
@State
public class ResetStress {

    private final RateLimiter limiter = Headgate.limiter("3/h");

    public ResetStress() {
        limiter.tryAcquire("key");
    }

    @Actor
    public void take() {
        limiter.tryAcquire("key");
    }

    @Actor
    public void reset() {
        limiter.reset("key");
    }

    @Arbiter
    public void rest(I_Result r) {
        r.r1 = (int) limiter.peek("key").remaining();
    }
}
