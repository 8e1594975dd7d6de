package io.headgate.spring.boot3;

import io.headgate.spring.boot.actuate.StoreDetails;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;

/** The health of the store, which is always up, as on Spring Boot 4. */
record StoreHealthOnBoot3(StoreDetails details) implements HealthIndicator {

    @Override
    public Health health() {
        return Health.up().withDetails(details.now()).build();
    }
}
