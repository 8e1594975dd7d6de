package io.headgate.spring.autoconfigure;

import jakarta.servlet.Filter;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Optional;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.security.web.FilterChainProxy;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.web.filter.CorsFilter;

/** Runs the CORS filter inside the Spring Security chain of a request, which is not a bean. Loaded only with Spring Security. */
final class CorsOfSecurity implements Filter {

    private final BeanFactory beans;

    CorsOfSecurity(BeanFactory beans) {
        this.beans = beans;
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Filter> cors = filter((HttpServletRequest) request);
        if (cors.isPresent()) {
            cors.get().doFilter(request, response, chain);
        } else {
            chain.doFilter(request, response);
        }
    }

    private Optional<Filter> filter(HttpServletRequest request) {
        return beans.getBeanProvider(FilterChainProxy.class).stream()
                .flatMap(proxy -> proxy.getFilterChains().stream())
                .filter(chain -> chain.matches(request))
                .findFirst()
                .map(SecurityFilterChain::getFilters)
                .flatMap(filters ->
                        filters.stream().filter(CorsFilter.class::isInstance).findFirst());
    }
}
