package io.headgate.spring.method;

import io.headgate.http.CostResolver;
import io.headgate.http.RequestView;
import io.headgate.http.RuleValidation;

/** A cost that is the same for every call. */
record FixedCost(long cost) implements CostResolver {

    FixedCost {
        RuleValidation.checkCost(cost);
    }

    @Override
    public long cost(RequestView call) {
        return cost;
    }

    @Override
    public boolean needsPrincipal() {
        return false;
    }
}
