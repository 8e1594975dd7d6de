package io.headgate.spring.boot.actuate;

import io.headgate.Headgate;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.guard.Guard;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * The health of the store, which is always up. A failing store is only a detail: the application still serves requests, and taking it
 * out of service would not help.
 */
public record StoreHealth(Headgate headgate, Store store) implements HealthIndicator {

    @Override
    public Health health() {
        Health.Builder health = Health.up().withDetail("store", store.getClass().getSimpleName());
        headgate.guard().ifPresent(guard -> describe(guard, health));
        return health.build();
    }

    private static void describe(Guard guard, Health.Builder health) {
        boolean degraded = !guard.failingFor().isZero() || guard.openCircuits() > 0;
        health.withDetail("degraded", degraded);
        if (degraded) {
            health.withDetail("failingFor", guard.failingFor().toString());
        }
        Map<String, Long> failures = new TreeMap<>();
        for (StoreException.Reason reason : StoreException.Reason.values()) {
            if (guard.failures(reason) > 0) {
                failures.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), guard.failures(reason));
            }
        }
        if (!failures.isEmpty()) {
            health.withDetail("failures", failures);
        }
    }
}
