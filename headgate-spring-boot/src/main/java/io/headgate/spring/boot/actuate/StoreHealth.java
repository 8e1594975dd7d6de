package io.headgate.spring.boot.actuate;

import io.headgate.Headgate;
import io.headgate.Store;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of the store, which is always up. A failing store is only a detail: the application still serves requests, and taking it
 * out of service would not help. For Spring Boot 4; that of Spring Boot 3 is in {@code headgate-spring-boot-3}.
 */
public record StoreHealth(Headgate headgate, Store store) implements HealthIndicator {

    @Override
    public Health health() {
        return Health.up().withDetails(new StoreDetails(headgate, store).now()).build();
    }
}
