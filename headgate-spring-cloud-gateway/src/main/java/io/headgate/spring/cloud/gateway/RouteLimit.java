package io.headgate.spring.cloud.gateway;

import io.headgate.http.BoundRule;
import io.headgate.spring.method.LiveRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The limit of one filter of one route. */
public final class RouteLimit {

    private static final String FILTER_OF = RouteLimit.class.getName() + ":";

    private final String route;
    private final String place;
    private final boolean own;
    private final LiveRule rule;

    RouteLimit(String route, String place, boolean own, LiveRule rule) {
        this.route = route;
        this.place = place;
        this.own = own;
        this.rule = rule;
    }

    /** The rule as it is now; {@code null} if it is off. */
    @Nullable
    BoundRule rule() {
        return rule.get();
    }

    /** Whether it has a budget that no rule has. */
    boolean own() {
        return own;
    }

    /**
     * What a request is to be checked at; empty if the rule is off. A request that is forwarded to another route meets the budget that
     * both share again, and is charged once.
     *
     * @param attributes those of the request, in which each budget notes the filter that used it
     * @throws IllegalStateException if another filter of the route has used the same budget: one of the two would go unheeded
     */
    List<BoundRule> rules(Map<String, Object> attributes) {
        BoundRule now = rule.get();
        if (now == null) {
            return List.of();
        }
        Object used = own ? attributes.putIfAbsent(FILTER_OF + now.name(), this) : null;
        if (used instanceof RouteLimit first && first != this && first.route.equals(route)) {
            throw new IllegalStateException(
                    place + " shares the budget '" + now.name() + "' with " + first.place + "; " + DUPLICATE);
        }
        return now.alone();
    }

    static final String DUPLICATE =
            "write all limits into one filter, such as limit: 5/s, 1000/h, or give one of them a name";
}
