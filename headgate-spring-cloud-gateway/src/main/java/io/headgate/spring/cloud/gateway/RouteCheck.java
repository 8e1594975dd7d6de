package io.headgate.spring.cloud.gateway;

import io.headgate.Plan;
import io.headgate.Spelling;
import io.headgate.http.BoundRule;
import io.headgate.spring.boot.autoconfigure.InvalidSettingException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Checks the routes in the properties of an application, all at once, before the gateway reads the first. */
final class RouteCheck {

    /** How the gateways call the arguments of a filter in its short form. */
    private static final String SHORT_FORM = "_genkey_";

    private final RouteLimits limits;
    private final @Nullable HeadgateRateLimiter limiter;
    private final Set<String> problems = new LinkedHashSet<>();
    private final Map<String, Plan> shared = new HashMap<>();

    /** A filter of a route, and the property that it is in. */
    record Filter(String property, @Nullable String name, Map<String, String> args) {}

    /** @param limiter the limiter of {@code RequestRateLimiter}, if it is ours */
    RouteCheck(RouteLimits limits, @Nullable HeadgateRateLimiter limiter) {
        this.limits = limits;
        this.limiter = limiter;
    }

    /** @param id {@code null} if the route has none: the WebFlux gateway then makes one up at each start */
    void add(@Nullable String id, List<Filter> filters) {
        String route = id == null ? "" : id;
        Map<String, Filter> own = new HashMap<>();
        List<Filter> requestRateLimiters = new ArrayList<>();
        for (Filter filter : filters) {
            if ("RateLimit".equals(filter.name)) {
                attempt(filter, () -> rateLimit(route, filter, own));
            } else if (limiter != null
                    && "RequestRateLimiter".equals(filter.name)
                    && !filter.args.containsKey("rate-limiter")
                    && !filter.args.containsKey("rateLimiter")) {
                HeadgateRateLimiter ours = limiter;
                attempt(filter, () -> {
                    ours.check(route, filter.args);
                    checkNamed(route);
                    requestRateLimiters.add(filter);
                });
            }
        }
        if (requestRateLimiters.size() > 1) {
            attempt(requestRateLimiters.get(1), () -> {
                throw new IllegalArgumentException("would replace the limit of "
                        + requestRateLimiters.get(0).property + " on route '" + route
                        + "'; write both into one filter, such as headgate.limits: 5/s, 1000/h");
            });
        }
    }

    void stopIfWrong() {
        if (!problems.isEmpty()) {
            throw new InvalidSettingException(List.copyOf(problems));
        }
    }

    private void rateLimit(String route, Filter filter, Map<String, Filter> own) {
        RateLimitArguments arguments = arguments(filter.args);
        RouteLimit limit = limits.of(route, arguments);
        BoundRule rule = limit.rule();
        if (rule == null || !limit.own()) {
            return;
        }
        if (arguments.getName().isEmpty()) {
            checkNamed(route);
        }
        Filter first = own.putIfAbsent(rule.name(), filter);
        if (first != null) {
            throw new IllegalArgumentException("shares the budget '" + rule.name() + "' with " + first.property
                    + " on route '" + route + "'; " + RouteLimit.DUPLICATE);
        }
        Plan plan = shared.putIfAbsent(rule.name(), rule.plan());
        if (plan != null && !plan.equals(rule.plan())) {
            throw new IllegalArgumentException("the budget '" + rule.name() + "' has the limits " + plan
                    + " in another route; use the same limits in all, or another name");
        }
    }

    /** Instances would not share a budget that is named after an id that each of them has made up. */
    private static void checkNamed(String route) {
        if (route.isEmpty()) {
            throw new IllegalArgumentException(
                    "the budget is named after the route; give the route an id, such as id: orders");
        }
    }

    private static RateLimitArguments arguments(Map<String, String> written) {
        Map<String, String> args = new HashMap<>();
        int place = 0;
        for (Map.Entry<String, String> each : written.entrySet()) {
            String name = each.getKey();
            if (name.startsWith(SHORT_FORM)) {
                if (place == RateLimitArguments.SHORT_FORM.size()) {
                    throw new IllegalArgumentException("has more than " + RateLimitArguments.SHORT_FORM
                            + "; write several limits or subjects in the long form, with name and args");
                }
                name = RateLimitArguments.SHORT_FORM.get(place);
            } else if (!RateLimitArguments.ALL.contains(name)) {
                throw new IllegalArgumentException("argument '" + name + "' is not known; there are "
                        + RateLimitArguments.ALL + Spelling.hint(name, RateLimitArguments.ALL));
            }
            args.put(name, each.getValue());
            place++;
        }
        return new Binder(new MapConfigurationPropertySource(args))
                .bindOrCreate("", Bindable.of(RateLimitArguments.class));
    }

    private void attempt(Filter filter, Runnable step) {
        try {
            step.run();
        } catch (IllegalArgumentException e) {
            problems.add(place(filter) + e.getMessage());
        } catch (BindException e) {
            problems.add(place(filter) + "argument '" + e.getName() + "' must be a number");
        }
    }

    private static String place(Filter filter) {
        return filter.property + " = " + filter.name + "="
                + String.join(
                        ", ",
                        filter.args.entrySet().stream()
                                .map(each -> each.getKey().startsWith(SHORT_FORM)
                                        ? each.getValue()
                                        : each.getKey() + ": " + each.getValue())
                                .toList())
                + ": ";
    }
}
