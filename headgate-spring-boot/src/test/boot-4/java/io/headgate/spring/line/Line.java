package io.headgate.spring.line;

import io.headgate.spring.boot.autoconfigure.HeadgateHealthAutoConfiguration;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.jdbc.autoconfigure.DataSourceInitializationAutoConfiguration;
import org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.error.ErrorMvcAutoConfiguration;

/** What this line of Spring Boot calls what the tests speak of. */
public final class Line {

    public static final Class<?> DATA_REDIS = DataRedisAutoConfiguration.class;
    public static final Class<?> DATA_SOURCE_INITIALIZATION = DataSourceInitializationAutoConfiguration.class;
    public static final Class<?> DISPATCHER_SERVLET = DispatcherServletAutoConfiguration.class;
    public static final Class<?> ERROR_MVC = ErrorMvcAutoConfiguration.class;
    public static final Class<?> HEADGATE_HEALTH = HeadgateHealthAutoConfiguration.class;
    public static final Class<?> HEALTH_INDICATOR = HealthIndicator.class;
    public static final Class<?> METRICS = MetricsAutoConfiguration.class;
    public static final Class<?> WEB_FLUX = WebFluxAutoConfiguration.class;
    public static final Class<?> WEB_MVC = WebMvcAutoConfiguration.class;

    /** What a CORS filter answers to a preflight for a path without a configuration: it lets it pass. */
    public static final int PREFLIGHT_WITHOUT_CONFIGURATION = 200;

    /** The auto-configurations that bring Spring Security in. */
    public static final String SECURITY = "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration"
            + ","
            + "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration" + ","
            + "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration" + ","
            + "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration" + ","
            + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration" + ","
            + "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration" + ","
            + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"
            + ","
            + "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration";

    /** What this line does not have, and who refers to it: only classes that are not loaded here, and names in strings. */
    public static final Set<String> ELSEWHERE = Set.of(
            "io.headgate.spring.JettyPeer$Ee10: org.eclipse.jetty.ee10.servlet.ServletApiRequest",
            "io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration: org.springframework.boot.web.reactive.context.ReactiveWebApplicationContext",
            "io.headgate.spring.boot.autoconfigure.HeadgateMetricsAutoConfiguration: org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration",
            "io.headgate.spring.boot.autoconfigure.HeadgateRedisAutoConfiguration: org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration",
            "io.headgate.spring.boot3.HeadgateHealthOnBoot3AutoConfiguration: org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator",
            "io.headgate.spring.boot3.HeadgateHealthOnBoot3AutoConfiguration: org.springframework.boot.actuate.health.HealthIndicator",
            "io.headgate.spring.boot3.StoreHealthOnBoot3: org.springframework.boot.actuate.health.Health",
            "io.headgate.spring.boot3.StoreHealthOnBoot3: org.springframework.boot.actuate.health.Health$Builder",
            "io.headgate.spring.boot3.StoreHealthOnBoot3: org.springframework.boot.actuate.health.HealthIndicator");

    private Line() {}

    /** The details of Headgate's health, which must be up. */
    public static Map<String, Object> details(BeanFactory beans) {
        Health health =
                beans.getBean("headgateHealthIndicator", HealthIndicator.class).health();
        if (!health.getStatus().equals(Status.UP)) {
            throw new AssertionError(health);
        }
        return health.getDetails();
    }
}
