package io.headgate.http.response;

import io.headgate.Limit;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** Caches the policies of rules with one limit for all subjects: every response contains them, so their text is built once. */
final class Policies {

    /** The most entries kept. There are more only after rules were replaced many times; then the cache is cleared. */
    static final int MOST = 10_000;

    private final ConcurrentMap<String, Policy> byRule = new ConcurrentHashMap<>();

    @SuppressWarnings("ReferenceEquality") // an equal but different limit only costs building the text again
    Policy of(String rule, Limit limit, boolean only) {
        if (!only) {
            return Policy.of(rule, limit, only);
        }
        Policy known = byRule.get(rule);
        return known != null && known.limit() == limit ? known : remember(rule, limit);
    }

    private Policy remember(String rule, Limit limit) {
        if (byRule.size() >= MOST) {
            byRule.clear();
        }
        Policy policy = Policy.of(rule, limit, true);
        byRule.put(rule, policy);
        return policy;
    }

    int size() {
        return byRule.size();
    }
}
