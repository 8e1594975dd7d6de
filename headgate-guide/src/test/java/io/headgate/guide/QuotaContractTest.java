package io.headgate.guide;

import io.headgate.Algorithm;
import io.headgate.testkit.AlgorithmContract;

// snippet
class QuotaContractTest extends AlgorithmContract<Quota.Used> {

    @Override
    protected Algorithm<Quota.Used> algorithm() {
        return new Quota();
    }

    @Override
    protected boolean refunds() {
        return false; // the default of the interface: a refund gives nothing back
    }
}
// end
