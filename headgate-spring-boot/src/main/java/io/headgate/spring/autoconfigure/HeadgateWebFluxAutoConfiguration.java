package io.headgate.spring.autoconfigure;

import io.headgate.http.Answers;
import io.headgate.http.Listeners;
import io.headgate.http.Rule;
import io.headgate.spring.Gates;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.webflux.GateWebFilter;
import io.headgate.spring.webflux.LimitedHandlerAdapter;
import io.headgate.spring.webflux.RefusalHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.reactive.DispatcherHandler;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.result.method.RequestMappingInfo;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/** Limits on requests in WebFlux. */
@AutoConfiguration(after = {HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class})
@ConditionalOnClass(DispatcherHandler.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnBean(Gates.class)
public final class HeadgateWebFluxAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = "headgateEarlyWebFilter")
    GateWebFilter headgateEarlyWebFilter(
            Gates gates, Answers answers, HeadgateProperties properties, ObjectProvider<HandlerMapping> mappings) {
        return new GateWebFilter(
                gates,
                Rule.Stage.FILTER,
                answers,
                () -> mappings.orderedStream().toList(),
                properties.filterOrder());
    }

    @Bean
    @ConditionalOnMissingBean(name = "headgateWebFilter")
    GateWebFilter headgateWebFilter(Gates gates, Answers answers, ObjectProvider<HandlerMapping> mappings) {
        return new GateWebFilter(
                gates,
                Rule.Stage.HANDLER,
                answers,
                () -> mappings.orderedStream().toList(),
                Ordered.LOWEST_PRECEDENCE - 10);
    }

    @Bean
    @ConditionalOnBean(HandlerLimits.class)
    LimitedHandlerAdapter headgateHandlerAdapter(
            HandlerLimits limits,
            Listeners listeners,
            Answers answers,
            ObjectProvider<RequestMappingHandlerAdapter> usual) {
        return new LimitedHandlerAdapter(limits, listeners, answers, usual::getObject);
    }

    @Bean
    @ConditionalOnMissingBean
    RefusalHandler headgateRefusalHandler(Answers answers) {
        return new RefusalHandler(answers);
    }

    @Bean
    Endpoints headgateEndpoints(
            ObjectProvider<RequestMappingHandlerMapping> mappings, ObjectProvider<HandlerLimits> limits) {
        return () -> {
            List<Endpoints.Endpoint> all = new ArrayList<>();
            HandlerLimits own = limits.getIfAvailable(() -> handler -> List.of());
            mappings.forEach(mapping ->
                    mapping.getHandlerMethods().forEach((info, handler) -> add(info, own.limits(handler), all)));
            return all;
        };
    }

    private static void add(RequestMappingInfo info, boolean limited, List<Endpoints.Endpoint> all) {
        Set<RequestMethod> methods = info.getMethodsCondition().getMethods();
        for (PathPattern path : info.getPatternsCondition().getPatterns()) {
            if (methods.isEmpty()) {
                all.add(new Endpoints.Endpoint("GET", path.getPatternString(), limited));
            }
            methods.forEach(method -> all.add(new Endpoints.Endpoint(method.name(), path.getPatternString(), limited)));
        }
    }
}
