package io.headgate.spring.boot.autoconfigure;

import io.headgate.http.Answers;
import io.headgate.http.Gate;
import io.headgate.spring.CurrentRequest;
import io.headgate.spring.HandlerLimits;
import io.headgate.spring.RuleStore;
import io.headgate.spring.servlet.DenialCorsHeaders;
import io.headgate.spring.servlet.DenialResolver;
import io.headgate.spring.servlet.GateFilter;
import io.headgate.spring.servlet.GateInterceptor;
import io.headgate.spring.servlet.ServletRequestSource;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.context.WebApplicationContext;
import org.springframework.web.cors.CorsConfigurationSource;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Limits requests in Spring MVC. */
@AutoConfiguration(after = {HeadgateAutoConfiguration.class, HeadgateMethodAutoConfiguration.class})
@ConditionalOnEnabled
@ConditionalOnClass(DispatcherServlet.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean(Gate.class)
public final class HeadgateServletAutoConfiguration {

    private static final boolean SECURITY = ClassUtils.isPresent(
            "org.springframework.security.web.FilterChainProxy",
            HeadgateServletAutoConfiguration.class.getClassLoader());

    @Bean
    @ConditionalOnMissingBean
    CurrentRequest.Source headgateCurrentRequests(Answers answers) {
        return new ServletRequestSource(answers);
    }

    @Bean
    @ConditionalOnMissingBean
    GateInterceptor headgateInterceptor(
            RuleStore rules, Gate gate, ObjectProvider<HandlerLimits> limits, Answers answers) {
        return new GateInterceptor(rules, gate, limits.getIfAvailable(() -> handler -> List.of()), answers);
    }

    /** Every handler mapping applies a {@code MappedInterceptor} bean, including those of actuator endpoints. */
    @Bean
    MappedInterceptor headgateMappedInterceptor(GateInterceptor interceptor) {
        return new MappedInterceptor(null, interceptor);
    }

    @Bean
    @ConditionalOnMissingBean(name = "headgateFilter")
    FilterRegistrationBean<GateFilter> headgateFilter(
            RuleStore rules, Gate gate, Answers answers, HeadgateProperties properties, BeanFactory beans) {
        return filter(rules, gate, answers, properties, beans);
    }

    /** @param beans the beans of the server that the filter is for; its CORS configuration is found among them */
    static FilterRegistrationBean<GateFilter> filter(
            RuleStore rules, Gate gate, Answers answers, HeadgateProperties properties, BeanFactory beans) {
        ObjectProvider<CorsFilter> filters = beans.getBeanProvider(CorsFilter.class);
        ObjectProvider<FilterRegistrationBean<?>> registered =
                beans.getBeanProvider(ResolvableType.forClass(FilterRegistrationBean.class));
        ObjectProvider<CorsConfigurationSource> sources = beans.getBeanProvider(CorsConfigurationSource.class);
        ObjectProvider<HandlerMapping> mappings = beans.getBeanProvider(HandlerMapping.class);
        DenialCorsHeaders cors = new DenialCorsHeaders(
                request -> corsFilters(filters, registered, beans, request),
                () -> sources.orderedStream().toList(),
                () -> mappings.orderedStream().toList());
        FilterRegistrationBean<GateFilter> filter =
                new FilterRegistrationBean<>(new GateFilter(rules, gate, answers, cors));
        filter.setOrder(properties.filterOrder());
        filter.setDispatcherTypes(DispatcherType.REQUEST);
        return filter;
    }

    /** The CORS filters that the request will meet, including that of Spring Security. A registration may disable a filter or restrict its paths. */
    private static List<Filter> corsFilters(
            ObjectProvider<CorsFilter> filters,
            ObjectProvider<FilterRegistrationBean<?>> registered,
            BeanFactory beans,
            HttpServletRequest request) {
        Set<Filter> all = filters.orderedStream().collect(Collectors.toCollection(LinkedHashSet::new));
        registered.orderedStream().forEach(each -> {
            if (each.getFilter() instanceof CorsFilter cors) {
                Collection<String> patterns = each.getUrlPatterns();
                if (each.isEnabled() && (patterns.isEmpty() || patterns.contains("/*"))) {
                    all.add(cors);
                } else {
                    all.remove(cors);
                }
            }
        });
        if (SECURITY) {
            SecurityCorsSource.filter(beans, request).ifPresent(all::add);
        }
        return List.copyOf(all);
    }

    @Bean
    @ConditionalOnMissingBean
    DenialResolver headgateDenialResolver(Answers answers, ApplicationContext application) {
        return new DenialResolver(answers, application);
    }

    /** Has no order, so it runs after the resolvers of Spring. */
    @Bean
    HandlerExceptionResolver headgateLastDenialResolver(DenialResolver denials) {
        return denials::last;
    }

    @Bean
    @ConditionalOnClass(name = "org.apache.catalina.valves.RemoteIpValve")
    ForwardedByTomcat headgateForwardedByTomcat() {
        return new ForwardedByTomcat();
    }

    @Bean
    Endpoints headgateEndpoints(
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ObjectProvider<HandlerMapping> all,
            ObjectProvider<HandlerLimits> limits,
            WebApplicationContext application) {
        return new Endpoints() {
            @Override
            public List<Endpoint> all() {
                List<Endpoint> found = new ArrayList<>();
                HandlerLimits own = limits.getIfAvailable(() -> handler -> List.of());
                mappings.forEach(mapping -> mapping.getHandlerMethods().forEach((info, handler) -> {
                    if (!Endpoints.showsErrors(handler.getBeanType())) {
                        add(info, own.isLimited(handler), found);
                    }
                }));
                return found;
            }

            @Override
            public Optional<KnownPaths> paths() {
                return Optional.of(MvcPaths.of(application, all));
            }

            @Override
            public boolean ignoreCase() {
                return mappings.stream()
                        .map(RequestMappingHandlerMapping::getPatternParser)
                        .anyMatch(parser -> parser != null && !parser.isCaseSensitive());
            }
        };
    }

    private static void add(RequestMappingInfo info, boolean limited, List<Endpoints.Endpoint> all) {
        all.add(new Endpoints.Endpoint(
                info.getMethodsCondition().getMethods().stream()
                        .map(RequestMethod::name)
                        .toList(),
                List.copyOf(info.getPatternValues()),
                limited));
    }
}
