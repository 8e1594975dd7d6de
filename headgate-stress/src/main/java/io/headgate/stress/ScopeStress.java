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

/** The insertion of a new key elsewhere drops a scope that has long been empty while a caller takes from it: the charge survives. */
@JCStressTest
@Outcome(id = "2", expect = Expect.ACCEPTABLE, desc = "it was charged before the scope was dropped, or opened it again")
@Outcome(expect = Expect.FORBIDDEN, desc = "a charge was lost or made twice")
@State
public class ScopeStress {

    private long now = 1_700_000_000_000_000L;
    private final Headgate headgate = Headgate.builder().timeSource(() -> now).build();
    private final RateLimiter unused = headgate.limiter("unused", Plan.parse("3/h"));
    private final RateLimiter used = headgate.limiter("used", Plan.parse("3/h"));

    public ScopeStress() {
        used.tryAcquire("first");
        unused.peek("key"); // opens the scope
        used.tryAcquire("second"); // finds it empty
        now += 20_000_000;
    }

    @Actor
    public void take() {
        unused.tryAcquire("key");
    }

    @Actor
    public void drop() {
        used.tryAcquire("newcomer");
    }

    @Arbiter
    public void rest(I_Result r) {
        r.r1 = (int) unused.peek("key").remaining();
    }
}
