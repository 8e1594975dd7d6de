package io.headgate.spring.cloud.gateway;

import io.headgate.FailurePolicy;
import io.headgate.http.Answers;
import io.headgate.http.Gate;
import io.headgate.http.LedgerFactory;
import io.headgate.http.rule.RuleCompiler;
import io.headgate.spring.RuleStore;
import io.headgate.spring.boot.autoconfigure.HeadgateAutoConfiguration;
import io.headgate.spring.boot.autoconfigure.HeadgateProperties;
import io.headgate.spring.cloud.gateway.RouteCheck.Filter;
import io.headgate.spring.servlet.RequestGate;
import io.headgate.spring.webflux.ExchangeGate;
import java.util.ArrayList;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.gateway.config.GatewayProperties;
import org.springframework.cloud.gateway.filter.FilterDefinition;
import org.springframework.cloud.gateway.filter.factory.GatewayFilterFactory;
import org.springframework.cloud.gateway.filter.ratelimit.RateLimiter;
import org.springframework.cloud.gateway.route.RouteDefinition;
import org.springframework.cloud.gateway.server.mvc.config.FilterProperties;
import org.springframework.cloud.gateway.server.mvc.config.GatewayMvcProperties;
import org.springframework.cloud.gateway.server.mvc.config.RouteProperties;
import org.springframework.cloud.gateway.server.mvc.filter.FilterSupplier;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Limits the routes of a gateway. Comes before the gateway's own configurations: they ask for a limiter, and Redis' is not to be there
 * when ours looks whether the application has one.
 */
@AutoConfiguration(
        after = HeadgateAutoConfiguration.class,
        beforeName = {
            "org.springframework.cloud.gateway.config.GatewayRedisAutoConfiguration",
            "org.springframework.cloud.gateway.config.GatewayAutoConfiguration"
        })
public final class HeadgateGatewayAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(GatewayFilterFactory.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class Reactive {

        @Bean
        @ConditionalOnBean(Gate.class)
        RouteLimits headgateRouteLimits(RuleStore rules, RuleCompiler compiler, FailurePolicy onStoreFailure) {
            return new RouteLimits(rules, compiler, onStoreFailure);
        }

        @Bean
        @ConditionalOnBean(Gate.class)
        ExchangeGate headgateExchangeGate(Gate gate, Answers answers) {
            return new ExchangeGate(gate, answers);
        }

        @Bean
        @ConditionalOnMissingBean
        RateLimitGatewayFilterFactory headgateRateLimitFilter(
                ObjectProvider<RouteLimits> limits, ObjectProvider<ExchangeGate> gate) {
            return new RateLimitGatewayFilterFactory(limits.getIfAvailable(), gate.getIfAvailable());
        }

        /** The limiter of all {@code RequestRateLimiter} filters, before that of Redis. */
        @Bean
        @Primary
        @ConditionalOnBean(Gate.class)
        @ConditionalOnMissingBean(RateLimiter.class)
        HeadgateRateLimiter headgateRateLimiter(
                ExchangeGate gate,
                Answers answers,
                LedgerFactory ledgers,
                FailurePolicy onStoreFailure,
                HeadgateProperties properties,
                Environment environment) {
            RedisRateLimiterHeaders names = Binder.get(environment)
                    .bindOrCreate(GatewayProperties.PREFIX + ".redis-rate-limiter", RedisRateLimiterHeaders.class);
            return new HeadgateRateLimiter(gate, answers, ledgers, onStoreFailure, properties.algorithm(), names);
        }

        @Bean
        @ConditionalOnBean(Gate.class)
        SmartInitializingSingleton headgateRouteCheck(
                ObjectProvider<GatewayProperties> gateway,
                RouteLimits limits,
                ObjectProvider<HeadgateRateLimiter> limiter) {
            return () -> {
                RouteCheck check = new RouteCheck(limits, limiter.getIfAvailable());
                gateway.ifAvailable(properties -> addAll(properties, check));
                check.stopIfWrong();
            };
        }

        private static void addAll(GatewayProperties gateway, RouteCheck check) {
            String defaults = GatewayProperties.PREFIX + ".default-filters[";
            for (int i = 0; i < gateway.getRoutes().size(); i++) {
                RouteDefinition route = gateway.getRoutes().get(i);
                List<Filter> filters = new ArrayList<>();
                add(gateway.getDefaultFilters(), defaults, filters);
                add(route.getFilters(), GatewayProperties.PREFIX + ".routes[" + i + "].filters[", filters);
                check.add(route.getId(), filters);
            }
        }

        private static void add(List<FilterDefinition> filters, String property, List<Filter> all) {
            for (int i = 0; i < filters.size(); i++) {
                FilterDefinition filter = filters.get(i);
                all.add(new Filter(property + i + "]", filter.getName(), filter.getArgs()));
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(FilterSupplier.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnBean(Gate.class)
    static class Servlet {

        @Bean
        RouteLimits headgateRouteLimits(RuleStore rules, RuleCompiler compiler, FailurePolicy onStoreFailure) {
            return new RouteLimits(rules, compiler, onStoreFailure);
        }

        @Bean
        RequestGate headgateRequestGate(Gate gate, Answers answers) {
            return new RequestGate(gate, answers);
        }

        @Bean
        SmartInitializingSingleton headgateRouteCheck(
                ObjectProvider<GatewayMvcProperties> gateway, RouteLimits limits) {
            return () -> {
                RouteCheck check = new RouteCheck(limits, null);
                gateway.ifAvailable(properties -> addAll(properties, check));
                check.stopIfWrong();
            };
        }

        private static void addAll(GatewayMvcProperties gateway, RouteCheck check) {
            String routes = GatewayMvcProperties.PREFIX + ".routes[";
            for (int i = 0; i < gateway.getRoutes().size(); i++) {
                RouteProperties route = gateway.getRoutes().get(i);
                check.add(route.getId(), filters(route, routes + i + "]"));
            }
            gateway.getRoutesMap()
                    .forEach((key, route) -> check.add(
                            StringUtils.hasText(route.getId()) ? route.getId() : key,
                            filters(route, GatewayMvcProperties.PREFIX + ".routes-map." + key)));
        }

        private static List<Filter> filters(RouteProperties route, String property) {
            List<Filter> filters = new ArrayList<>();
            for (int i = 0; i < route.getFilters().size(); i++) {
                FilterProperties filter = route.getFilters().get(i);
                filters.add(new Filter(property + ".filters[" + i + "]", filter.getName(), filter.getArgs()));
            }
            return filters;
        }
    }
}
