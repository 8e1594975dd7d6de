package io.headgate.testkit;

import io.headgate.Algorithm;

/** An algorithm of somebody else's keeps the contract. */
class QuotaContractTest extends AlgorithmContract<Quota.Used> {

    @Override
    protected Algorithm<Quota.Used> algorithm() {
        return new Quota();
    }

    @Override
    protected boolean refunds() {
        return false;
    }
}
