package io.headgate.spring.servlet;

import io.headgate.http.Rule;
import io.headgate.http.RuleSet;
import io.headgate.spring.HandlerLimits;
import jakarta.servlet.http.HttpServletRequest;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a request has been charged for: one entry for each dispatch that was checked. A forward meets the rules of its new path,
 * but none of them twice.
 */
record Charged(
        String method,
        String path,
        Object handler,
        @Nullable Charged earlier) {

    private static final String ATTRIBUTE = Charged.class.getName();

    static @Nullable Charged of(HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof Charged charged ? charged : null;
    }

    void keep(HttpServletRequest request) {
        request.setAttribute(ATTRIBUTE, this);
    }

    /** The names of the rules and limits that have been charged. */
    Set<String> names(RuleSet rules, HandlerLimits limits) {
        Set<String> names = new HashSet<>();
        for (Charged each = this; each != null; each = each.earlier) {
            rules.match(Rule.Stage.HANDLER, each.method, each.path)
                    .forEach(point -> names.add(point.rule().name()));
            limits.of(each.handler).forEach(point -> names.add(point.rule().name()));
        }
        return names;
    }
}
