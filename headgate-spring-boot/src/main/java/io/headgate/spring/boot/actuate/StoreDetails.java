package io.headgate.spring.boot.actuate;

import io.headgate.Headgate;
import io.headgate.Store;
import io.headgate.StoreException;
import io.headgate.guard.Guard;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the health says of a store, in the types of no line of Spring Boot. */
public record StoreDetails(Headgate headgate, Store store) {

    /** The details by name, in the order in which they are shown. */
    public Map<String, Object> now() {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("store", store.getClass().getSimpleName());
        headgate.guard().ifPresent(guard -> describe(guard, details));
        return details;
    }

    private static void describe(Guard guard, Map<String, Object> details) {
        boolean degraded = !guard.failingFor().isZero() || guard.openCircuits() > 0;
        details.put("degraded", degraded);
        if (degraded) {
            details.put("failingFor", guard.failingFor().toString());
        }
        Map<String, Long> failures = new TreeMap<>();
        for (StoreException.Reason reason : StoreException.Reason.values()) {
            if (guard.failures(reason) > 0) {
                failures.put(reason.name().toLowerCase(Locale.ROOT).replace('_', '-'), guard.failures(reason));
            }
        }
        if (!failures.isEmpty()) {
            details.put("failures", failures);
        }
    }
}
