package io.headgate.stress;

import io.headgate.Decision;
import io.headgate.Headgate;
import io.headgate.RateLimiter;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.Expect;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/** One caller takes a permit while another refunds one: in the end one of three permits is spent. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "both happened")
@Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost or made twice")
@State
public class RefundStress {

    private final RateLimiter limiter = Headgate.limiter("3/h");
    private final Decision.Allowed receipt = (Decision.Allowed) limiter.tryAcquire("key");

    @Actor
    public void take() {
        limiter.tryAcquire("key");
    }

    @Actor
    public void giveBack() {
        limiter.refund(receipt);
    }

    @Arbiter
    public void rest(I_Result r) {
        r.r1 = (int) limiter.peek("key").remaining();
    }
}
