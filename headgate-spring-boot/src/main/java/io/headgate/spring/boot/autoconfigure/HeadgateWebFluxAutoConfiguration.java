package io.headgate.spring.boot.autoconfigure;

import io.headgate.Store;
import io.headgate.http.Answers;
import io.headgate.http.Gate;
import io.headgate.http.PlanResolver;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.HandlerCharges;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RuleStore;
import io.headgate.spring.webflux.DenialAdvice;
import io.headgate.spring.webflux.DenialCorsHeaders;
import io.headgate.spring.webflux.DenialHandler;
import io.headgate.spring.webflux.GateHandlerAdapter;
import io.headgate.spring.webflux.GateWebFilter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.cors.reactive.CorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerAdapter;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.server.WebFilter;
import org.springframework.web.util.pattern.PathPattern;

/** Limits requests in WebFlux. */
@AutoConfiguration(after = {HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class})
@ConditionalOnEnabled
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(Gate.class)
public final class HeadgateWebFluxAutoConfiguration {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.web.server.SecurityWebFilterChain",
            HeadgateWebFluxAutoConfiguration.class.getClassLoader());

    @Bean
    @ConditionalOnMissingBean
    GateWebFilter headgateWebFilter(
            RuleStore rules,
            Gate gate,
            Answers answers,
            HeadgateProperties properties,
            Store store,
            ObjectProvider<PlanResolver> plans,
            ObjectProvider<HandlerLimits> limits,
            ObjectProvider<CorsWebFilter> filters,
            ObjectProvider<CorsConfigurationSource> sources,
            ObjectProvider<HandlerMapping> mappings,
            BeanFactory beans) {
        DenialCorsHeaders cors = new DenialCorsHeaders(
                () -> corsFilters(filters, beans),
                () -> sources.orderedStream().toList(),
                () -> mappings.orderedStream().toList());
        boolean waits = !store.inProcess() || plans.stream().findAny().isPresent();
        return new GateWebFilter(
                rules,
                gate,
                limits.getIfAvailable(() -> handler -> List.of()),
                answers,
                cors,
                properties.filterOrder(),
                waits);
    }

    @Bean
    @ConditionalOnMissingBean
    CurrentRequest.Source headgateCurrentRequests() {
        return HandlerCharges::find;
    }

    @Bean
    BlockingHandlerThreads.Reported headgateBlockingHandlerThreads(ObjectProvider<WebFluxConfigurer> settings) {
        return new BlockingHandlerThreads.Reported(settings);
    }

    /** The CORS filters, including that of Spring Security. */
    private static List<WebFilter> corsFilters(ObjectProvider<CorsWebFilter> filters, BeanFactory beans) {
        Stream<WebFilter> secured = SECURITY ? Stream.of(new ReactiveSecurityCorsSource(beans)) : Stream.empty();
        return Stream.concat(filters.orderedStream(), secured).toList();
    }

    @Bean
    @ConditionalOnMissingBean
    GateHandlerAdapter headgateHandlerAdapter(
            RuleStore rules,
            Gate gate,
            ObjectProvider<HandlerLimits> limits,
            Answers answers,
            ObjectProvider<HandlerAdapter> adapters) {
        return new GateHandlerAdapter(
                rules,
                gate,
                limits.getIfAvailable(() -> handler -> List.of()),
                answers,
                SingletonSupplier.of(() -> adapters.orderedStream().toList()));
    }

    @Bean
    @ConditionalOnMissingBean
    DenialHandler headgateDenialHandler(Answers answers) {
        return new DenialHandler(answers);
    }

    @Bean
    @ConditionalOnMissingBean
    DenialAdvice headgateDenialAdvice(DenialHandler handler, ListableBeanFactory beans) {
        return new DenialAdvice(handler, beans);
    }

    /** Does nothing with an in-process store, which no thread waits for. */
    @Bean
    SmartInitializingSingleton headgateEventLoopBlockingWarning(
            Store store,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ObjectProvider<HandlerLimits> limits,
            ObjectProvider<WebFluxConfigurer> settings) {
        return store.inProcess()
                ? () -> {}
                : new EventLoopBlockingWarning(mappings, limits.getIfAvailable(() -> handler -> List.of()), settings);
    }

    @Bean
    Endpoints headgateEndpoints(
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ObjectProvider<HandlerMapping> all,
            ObjectProvider<HandlerLimits> limits,
            Environment environment) {
        return new Endpoints() {
            @Override
            public List<Endpoint> all() {
                List<Endpoint> found = new ArrayList<>();
                HandlerLimits own = limits.getIfAvailable(() -> handler -> List.of());
                mappings.forEach(mapping -> mapping.getHandlerMethods()
                        .forEach((info, handler) -> add(info, own.isLimited(handler), found)));
                return found;
            }

            @Override
            public Optional<KnownPaths> paths() {
                return Optional.of(WebFluxPaths.of(environment, all));
            }

            @Override
            public boolean ignoreCase() {
                return mappings.stream()
                        .anyMatch(mapping -> !mapping.getPathPatternParser().isCaseSensitive());
            }
        };
    }

    private static void add(RequestMappingInfo info, boolean limited, List<Endpoints.Endpoint> all) {
        all.add(new Endpoints.Endpoint(
                info.getMethodsCondition().getMethods().stream()
                        .map(RequestMethod::name)
                        .toList(),
                info.getPatternsCondition().getPatterns().stream()
                        .map(PathPattern::getPatternString)
                        .toList(),
                limited));
    }
}
