package io.headgate.http.response;

import io.headgate.Limit;
import io.headgate.http.Rule;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The policies of rules that have one limit for everybody: told with every answer, and so put into words once. */
final class Policies {

    /** So many rules at most are remembered; more than that have come and gone. */
    static final int MOST = 10_000;

    private final ConcurrentMap<String, Policy> byRule = new ConcurrentHashMap<>();

    @SuppressWarnings("ReferenceEquality") // an equal limit will do as well, the longer way
    Policy of(Rule rule, Limit limit, boolean only) {
        if (!only || rule.planResolver() != null) {
            return Policy.of(rule, limit, only);
        }
        Policy known = byRule.get(rule.name());
        return known != null && known.limit() == limit ? known : remember(rule, limit);
    }

    private Policy remember(Rule rule, Limit limit) {
        if (byRule.size() >= MOST) {
            byRule.clear();
        }
        Policy policy = Policy.of(rule, limit, true);
        byRule.put(rule.name(), policy);
        return policy;
    }

    int size() {
        return byRule.size();
    }
}
