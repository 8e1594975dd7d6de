package io.headgate.spring.line;

import io.headgate.spring.boot3.HeadgateHealthOnBoot3AutoConfiguration;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.autoconfigure.metrics.MetricsAutoConfiguration;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.actuate.health.Status;
import org.springframework.boot.autoconfigure.data.redis.RedisAutoConfiguration;
import org.springframework.boot.autoconfigure.sql.init.SqlInitializationAutoConfiguration;
import org.springframework.boot.autoconfigure.web.reactive.WebFluxAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.DispatcherServletAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.WebMvcAutoConfiguration;
import org.springframework.boot.autoconfigure.web.servlet.error.ErrorMvcAutoConfiguration;

/** What this line of Spring Boot calls what the tests speak of. */
public final class Line {

    public static final Class<?> DATA_REDIS = RedisAutoConfiguration.class;
    public static final Class<?> DATA_SOURCE_INITIALIZATION = SqlInitializationAutoConfiguration.class;
    public static final Class<?> DISPATCHER_SERVLET = DispatcherServletAutoConfiguration.class;
    public static final Class<?> ERROR_MVC = ErrorMvcAutoConfiguration.class;
    public static final Class<?> HEADGATE_HEALTH = HeadgateHealthOnBoot3AutoConfiguration.class;
    public static final Class<?> HEALTH_INDICATOR = HealthIndicator.class;
    public static final Class<?> METRICS = MetricsAutoConfiguration.class;
    public static final Class<?> WEB_FLUX = WebFluxAutoConfiguration.class;
    public static final Class<?> WEB_MVC = WebMvcAutoConfiguration.class;

    /** What a CORS filter answers to a preflight for a path without a configuration: it turns it away. */
    public static final int PREFLIGHT_WITHOUT_CONFIGURATION = 403;

    /** The auto-configurations that bring Spring Security in. */
    public static final String SECURITY =
            "org.springframework.boot.autoconfigure.security.servlet.SecurityAutoConfiguration" + ","
                    + "org.springframework.boot.autoconfigure.security.servlet.UserDetailsServiceAutoConfiguration"
                    + ","
                    + "org.springframework.boot.autoconfigure.security.reactive.ReactiveUserDetailsServiceAutoConfiguration"
                    + ","
                    + "org.springframework.boot.autoconfigure.security.servlet.SecurityFilterAutoConfiguration" + ","
                    + "org.springframework.boot.autoconfigure.security.reactive.ReactiveSecurityAutoConfiguration" + ","
                    + "org.springframework.boot.actuate.autoconfigure.security.servlet.ManagementWebSecurityAutoConfiguration"
                    + ","
                    + "org.springframework.boot.actuate.autoconfigure.security.reactive.ReactiveManagementWebSecurityAutoConfiguration";

    /** What this line does not have, and who refers to it: only classes that are not loaded here, and names in strings. */
    public static final Set<String> ELSEWHERE = Set.of(
            "io.headgate.spring.JettyPeer$Ee11: org.eclipse.jetty.ee11.servlet.ServletApiRequest",
            "io.headgate.spring.boot.actuate.StoreHealth: org.springframework.boot.health.contributor.Health",
            "io.headgate.spring.boot.actuate.StoreHealth: org.springframework.boot.health.contributor.Health$Builder",
            "io.headgate.spring.boot.actuate.StoreHealth: org.springframework.boot.health.contributor.HealthIndicator",
            "io.headgate.spring.boot.autoconfigure.HeadgateHealthAutoConfiguration: org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator",
            "io.headgate.spring.boot.autoconfigure.HeadgateHealthAutoConfiguration: org.springframework.boot.health.contributor.HealthIndicator",
            "io.headgate.spring.boot.autoconfigure.HeadgateMethodAutoConfiguration: org.springframework.boot.web.context.reactive.ReactiveWebApplicationContext",
            "io.headgate.spring.boot.autoconfigure.HeadgateMetricsAutoConfiguration: org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "io.headgate.spring.boot.autoconfigure.HeadgateRedisAutoConfiguration: org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration",
            "io.headgate.spring.webflux.HeaderValues$NoMap: org.springframework.http.HttpHeaders.get(Ljava/lang/String;)Ljava/util/List;",
            "io.headgate.spring.webflux.HeaderValues$NoMap: org.springframework.http.HttpHeaders.remove(Ljava/lang/String;)Ljava/util/List;");

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
