package io.headgate.spring.boot.autoconfigure;

import jakarta.servlet.Filter;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.CorsFilter;

/** Finds the CORS filter inside the Spring Security chain of a request, which is not a bean. Loaded only with Spring Security. */
final class SecurityCorsSource {

    private SecurityCorsSource() {}

    static Optional<Filter> filter(BeanFactory beans, HttpServletRequest request) {
        return beans.getBeanProvider(FilterChainProxy.class).stream()
                .flatMap(proxy -> proxy.getFilterChains().stream())
                .filter(chain -> chain.matches(request))
                .findFirst()
                .map(SecurityFilterChain::getFilters)
                .flatMap(filters ->
                        filters.stream().filter(CorsFilter.class::isInstance).findFirst());
    }
}
