package io.headgate.http.response;

import io.headgate.Limit;
import io.headgate.http.Rule;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** The policies of rules with one limit, which are told with every answer and so are put into words once. */
final class Policies {

    // As many as there are rules. One that gives its subjects different limits has the words of the last.
    private final ConcurrentMap<String, Policy> byRule = new ConcurrentHashMap<>();

    @SuppressWarnings("ReferenceEquality") // a rule has one limit object for as long as it is in force
    Policy of(Rule rule, Limit limit, boolean only) {
        if (!only) {
            return Policy.of(rule, limit, false);
        }
        Policy known = byRule.get(rule.name());
        if (known != null && known.limit() == limit) {
            return known;
        }
        Policy policy = Policy.of(rule, limit, true);
        byRule.put(rule.name(), policy);
        return policy;
    }
}
