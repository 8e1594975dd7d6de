package io.headgate.spring.cloud.gateway;

import io.headgate.Decision;
import io.headgate.FailurePolicy;
import io.headgate.Limit;
import io.headgate.Plan;
import io.headgate.http.Answers;
import io.headgate.http.BoundRule;
import io.headgate.http.LedgerFactory;
import io.headgate.http.RequestView;
import io.headgate.http.RequestViewDecorator;
import io.headgate.http.RuleValidation;
import io.headgate.http.Subject;
import io.headgate.http.Verdict;
import io.headgate.spring.webflux.ExchangeGate;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;
import org.springframework.cloud.gateway.event.FilterArgsEvent;
import org.springframework.cloud.gateway.filter.ratelimit.AbstractRateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinitionRouteLocator;
import org.springframework.http.HttpHeaders;
import reactor.core.publisher.Mono;

/**
 * The limiter of the gateway's own filter {@code RequestRateLimiter}. Understands what is written for {@code RedisRateLimiter}, and
 * limits of Headgate.
 */
public final class HeadgateRateLimiter extends AbstractRateLimiter<HeadgateRateLimiter.Config> {

    private static final String REDIS = "redis-rate-limiter";
    private static final String OURS = "headgate";
    private static final Set<String> ARGUMENTS =
            Set.of(REDIS + ".replenishRate", REDIS + ".burstCapacity", REDIS + ".requestedTokens", OURS + ".limits");
    private static final Set<String> COMPARED =
            Set.copyOf(ARGUMENTS.stream().map(HeadgateRateLimiter::plain).toList());

    private final ExchangeGate gate;
    private final Answers answers;
    private final LedgerFactory ledgers;
    private final FailurePolicy onStoreFailure;
    private final String usualAlgorithm;
    private final RedisRateLimiterHeaders names;
    private final Map<String, RouteBudget> budgets = new ConcurrentHashMap<>();

    /** @param config the configuration of which this is the budget: another one makes another */
    private record RouteBudget(Config config, BoundRule rule, Map<String, String> headers) {}

    /** @param usualAlgorithm the algorithm of {@code headgate.limits} that name none */
    public HeadgateRateLimiter(
            ExchangeGate gate,
            Answers answers,
            LedgerFactory ledgers,
            FailurePolicy onStoreFailure,
            String usualAlgorithm,
            RedisRateLimiterHeaders names) {
        super(Config.class, REDIS, null);
        this.gate = gate;
        this.answers = answers;
        this.ledgers = ledgers;
        this.onStoreFailure = onStoreFailure;
        this.usualAlgorithm = usualAlgorithm;
        this.names = names;
    }

    /** Takes over the arguments of a route if they are valid as a whole, else the route keeps those that it had. */
    @Override
    public void onApplicationEvent(FilterArgsEvent event) {
        Map<String, Object> args = event.getArgs();
        if (concerns(args)) {
            Config config = read(args);
            budgets.put(event.getRouteId(), budget(event.getRouteId(), config));
            getConfig().put(event.getRouteId(), config);
        }
    }

    /** Whether arguments of a filter are for a limiter like this. */
    static boolean concerns(Map<String, ?> args) {
        return args.keySet().stream().anyMatch(key -> key.startsWith(REDIS + ".") || key.startsWith(OURS + "."));
    }

    /**
     * Checks the arguments of a filter, which may also be without any if its route was configured in code.
     *
     * @throws IllegalArgumentException if they are invalid
     */
    void check(String routeId, Map<String, ?> args) {
        if (!concerns(args)) {
            if (getConfig().containsKey(routeId)) {
                return;
            }
            throw new IllegalArgumentException(
                    "needs " + REDIS + ".replenishRate, such as 10, or " + OURS + ".limits, such as 10/s burst 20");
        }
        budget(routeId, read(args));
    }

    private static Config read(Map<String, ?> args) {
        for (String key : args.keySet()) {
            if ((key.startsWith(REDIS + ".") || key.startsWith(OURS + ".")) && !COMPARED.contains(plain(key))) {
                throw new IllegalArgumentException("argument '" + key + "' is not known; there are "
                        + ARGUMENTS.stream().sorted().toList());
            }
        }
        Config config = new Config();
        Binder binder = new Binder(new MapConfigurationPropertySource(args));
        binder.bind(REDIS, Bindable.ofInstance(config));
        binder.bind(OURS, Bindable.ofInstance(config));
        return config;
    }

    /** As Spring Boot compares the names of properties. */
    private static String plain(String key) {
        return key.replace("-", "").toLowerCase(Locale.ROOT);
    }

    @Override
    public Mono<Response> isAllowed(String routeId, String id) {
        RouteBudget budget = budget(routeId);
        return gate.verdict(new KeyView(id), budget.rule.alone()).map(verdict -> response(budget, verdict));
    }

    /** @throws IllegalArgumentException if the route has no configuration, or an invalid one: the request then fails */
    private RouteBudget budget(String routeId) {
        Config config = getConfig().getOrDefault(routeId, getConfig().get(RouteDefinitionRouteLocator.DEFAULT_FILTERS));
        if (config == null) {
            throw new IllegalArgumentException("route '" + routeId + "' has no limit; write " + REDIS
                    + ".replenishRate or " + OURS + ".limits into the arguments of its RequestRateLimiter");
        }
        RouteBudget known = budgets.get(routeId);
        if (known == null || known.config != config) {
            known = budget(routeId, config);
            budgets.put(routeId, known);
        }
        return known;
    }

    private RouteBudget budget(String routeId, Config config) {
        Plan plan = config.plan(usualAlgorithm);
        RuleValidation.checkCost(config.getRequestedTokens());
        plan.limits().forEach(limit -> RuleValidation.checkGranted(config.getRequestedTokens(), limit));
        long cost = config.getRequestedTokens();
        BoundRule rule = BoundRule.ofMethod(
                        RouteLimits.named("limiter", routeId), plan, KeyView::subject, false, onStoreFailure, ledgers)
                .withCost(request -> cost);
        return new RouteBudget(config, rule, headers(config, plan));
    }

    private Map<String, String> headers(Config config, Plan plan) {
        if (!names.includeHeaders()) {
            return Map.of();
        }
        Map<String, String> headers = new HashMap<>();
        headers.put(
                names.burstCapacityHeader(), String.valueOf(plan.limits().get(0).burst()));
        headers.put(names.requestedTokensHeader(), String.valueOf(config.getRequestedTokens()));
        if (config.getLimits().isEmpty()) {
            headers.put(names.replenishRateHeader(), String.valueOf(config.getReplenishRate()));
        }
        return Map.copyOf(headers);
    }

    private Response response(RouteBudget budget, Verdict verdict) {
        Map<String, String> headers = new HashMap<>(budget.headers);
        Decision decision = verdict.decision();
        if (names.includeHeaders()
                && decision != null
                && !decision.degraded()
                && !(decision instanceof Decision.Unavailable)) {
            headers.put(names.remainingHeader(), String.valueOf(decision.remaining()));
        }
        if (!verdict.allowed()) {
            answers.headers(verdict, (name, value) -> {
                if (name.equalsIgnoreCase(HttpHeaders.RETRY_AFTER)) {
                    headers.put(name, value);
                }
            });
        }
        return new Response(verdict.allowed(), headers);
    }

    /** All that is known of a request here is its key. */
    private static final class KeyView extends RequestViewDecorator {

        private final String key;

        KeyView(String key) {
            super(RequestView.none());
            this.key = key;
        }

        static Subject subject(RequestView request) {
            return Subject.of("key", ((KeyView) request).key);
        }
    }

    /** The limits of a route: either those of {@code RedisRateLimiter}, or limits as rules write them. */
    public static final class Config {

        private int replenishRate;
        private long burstCapacity = 1;
        private int requestedTokens = 1;
        private List<String> limits = List.of();

        public int getReplenishRate() {
            return replenishRate;
        }

        /** How many permits come back each second. */
        public Config setReplenishRate(int replenishRate) {
            this.replenishRate = replenishRate;
            return this;
        }

        public long getBurstCapacity() {
            return burstCapacity;
        }

        /** How many permits there are at most; with 0, every request is denied. */
        public Config setBurstCapacity(long burstCapacity) {
            this.burstCapacity = burstCapacity;
            return this;
        }

        public int getRequestedTokens() {
            return requestedTokens;
        }

        /** How many permits a request takes. */
        public Config setRequestedTokens(int requestedTokens) {
            this.requestedTokens = requestedTokens;
            return this;
        }

        public List<String> getLimits() {
            return limits;
        }

        /** Limits as rules write them, granted all or nothing, in place of rate and capacity. */
        public Config setLimits(List<String> limits) {
            this.limits = List.copyOf(limits);
            return this;
        }

        private Plan plan(String usualAlgorithm) {
            if (!limits.isEmpty()) {
                if (replenishRate != 0) {
                    throw new IllegalArgumentException(
                            OURS + ".limits stands in place of " + REDIS + ".replenishRate; write one of the two");
                }
                return new Plan(limits.stream()
                        .map(limit -> Limit.parse(limit, null, usualAlgorithm))
                        .toList());
            }
            if (replenishRate < 1) {
                throw new IllegalArgumentException(REDIS + ".replenishRate must be at least 1, not " + replenishRate);
            }
            Duration second = Duration.ofSeconds(1);
            return Plan.of(
                    burstCapacity == 0
                            ? Limit.of(0).per(second)
                            : Limit.of(replenishRate).per(second).burst(burstCapacity));
        }
    }
}
