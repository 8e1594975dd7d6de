package io.headgate.spring.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.headgate.spring.RuleLines;
import io.headgate.spring.Running;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.annotation.Order;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.util.matcher.PathPatternParserServerWebExchangeMatcher;
import org.springframework.web.cors.CorsConfiguration;
import org.springframework.web.cors.UrlBasedCorsConfigurationSource;
import org.springframework.web.cors.reactive.CorsWebFilter;
import org.springframework.web.filter.CorsFilter;
import org.springframework.web.filter.RequestContextFilter;

/** Known bug R04 where a filter behind ours opens the application to pages of other origins. */
class CorsFilterTest {

    private static final String[] SECURED =
            new RuleLines().rule("any", "/any", "stage=filter", "limits=1/h").and();
    private static final String[] RULES = SecuritySuite.with(Running.WITHOUT_SPRING_SECURITY, SECURED);

    @ParameterizedTest
    @ValueSource(classes = {OfServlets.class, Registered.class, RegisteredForAll.class})
    void aDenialHasTheHeadersOfTheFilter(Class<?> application) {
        try (Running running = Running.servlet(application, RULES)) {
            deniesAsTheApplicationWould(running);
        }
    }

    @Test
    void aDenialHasTheHeadersOfTheWebFilter() {
        try (Running running = Running.reactive(OfWebFlux.class, RULES)) {
            deniesAsTheApplicationWould(running);
        }
    }

    /** Nobody else knows of it. */
    @Test
    void aDenialHasTheHeadersOfSpringSecurity() {
        try (Running running = Running.servlet(InSpringSecurity.class, SECURED)) {
            deniesAsTheApplicationWould(running);
        }
    }

    @Test
    void aDenialHasTheHeadersOfReactiveSpringSecurity() {
        try (Running running = Running.reactive(InReactiveSpringSecurity.class, SECURED)) {
            deniesAsTheApplicationWould(running);
        }
    }

    private static void deniesAsTheApplicationWould(Running running) {
        assertThat(running.statuses(2, "/any", "Origin", "http://page")).containsExactly(200, 429);
        HttpResponse<String> denial = running.get("/any", "Origin", "http://page");
        assertThat(denial.statusCode()).isEqualTo(429);
        assertThat(denial.headers().allValues("Access-Control-Allow-Origin")).containsExactly("http://page");
        assertThat(String.join(",", denial.headers().allValues("Access-Control-Expose-Headers")))
                .contains("Retry-After");
        assertThat(running.get("/any", "Origin", "http://stranger").statusCode())
                .isEqualTo(403);
        assertThat(running.get("/any").headers().allValues("Access-Control-Allow-Origin"))
                .isEmpty();
    }

    private static CorsConfiguration page() {
        return origin("http://page");
    }

    private static CorsConfiguration origin(String origin) {
        CorsConfiguration configuration = new CorsConfiguration();
        configuration.setAllowedOrigins(List.of(origin));
        return configuration;
    }

    private static CorsFilter filter() {
        UrlBasedCorsConfigurationSource source = new UrlBasedCorsConfigurationSource();
        source.registerCorsConfiguration("/**", page());
        return new CorsFilter(source);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class OfServlets {

        @Bean
        CorsFilter cors() {
            return filter();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class Registered {

        @Bean
        FilterRegistrationBean<CorsFilter> cors() {
            return new FilterRegistrationBean<>(filter());
        }
    }

    /** Among others, of which Spring cannot tell what they register. */
    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    @SuppressWarnings("rawtypes")
    static class RegisteredForAll {

        @Bean
        FilterRegistrationBean cors() {
            FilterRegistrationBean<CorsFilter> registration = new FilterRegistrationBean<>(filter());
            registration.addUrlPatterns("/*");
            return registration;
        }

        @Bean
        FilterRegistrationBean another() {
            return new FilterRegistrationBean<>(new RequestContextFilter());
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class OfWebFlux {

        @Bean
        CorsWebFilter cors() {
            var source = new org.springframework.web.cors.reactive.UrlBasedCorsConfigurationSource();
            source.registerCorsConfiguration("/**", page());
            return new CorsWebFilter(source);
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class InSpringSecurity {

        @Bean
        @Order(1)
        SecurityFilterChain forOthers(HttpSecurity http) throws Exception {
            return http.securityMatcher("/others/**")
                    .cors(cors -> cors.configurationSource(request -> origin("http://stranger")))
                    .build();
        }

        @Bean
        @Order(2)
        SecurityFilterChain forAll(HttpSecurity http) throws Exception {
            return http.cors(cors -> cors.configurationSource(request -> page()))
                    .authorizeHttpRequests(requests -> requests.anyRequest().permitAll())
                    .build();
        }
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({SecuritySuite.Api.class, SecuritySuite.Time.class})
    static class InReactiveSpringSecurity {

        @Bean
        @Order(1)
        SecurityWebFilterChain forOthers(ServerHttpSecurity http) {
            return http.securityMatcher(new PathPatternParserServerWebExchangeMatcher("/others/**"))
                    .cors(cors -> cors.configurationSource(exchange -> origin("http://stranger")))
                    .build();
        }

        @Bean
        @Order(2)
        SecurityWebFilterChain forAll(ServerHttpSecurity http) {
            return http.cors(cors -> cors.configurationSource(exchange -> page()))
                    .authorizeExchange(exchanges -> exchanges.anyExchange().permitAll())
                    .build();
        }
    }
}
