package io.headgate.spring.boot.actuate;

import io.headgate.Headgate;
import io.headgate.StoreException;
import io.headgate.guard.Guard;
import io.headgate.memory.MemoryStore;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the store: the failures that its guard has seen, if it has one, and the number of keys, if it is in memory.
 *
 * @param headgate called when the meters are bound; returns {@code null} if there is no such bean
 * @param memory called when the meters are bound; returns {@code null} if there is no such bean
 */
public record StoreMetrics(Supplier<@Nullable Headgate> headgate, Supplier<@Nullable MemoryStore> memory)
        implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Headgate front = headgate.get();
        if (front != null) {
            front.guard().ifPresent(guard -> bind(guard, registry));
        }
        MemoryStore store = memory.get();
        if (store != null) {
            bind(store, registry);
        }
    }

    private static void bind(Guard guard, MeterRegistry registry) {
        for (StoreException.Reason reason : StoreException.Reason.values()) {
            FunctionCounter.builder("headgate.store.failures", guard, seen -> seen.failures(reason))
                    .description("Operations that the store gave no answer to, by reason")
                    .tag("reason", reason.name().toLowerCase(Locale.ROOT).replace('_', '-'))
                    .register(registry);
        }
        FunctionCounter.builder("headgate.store.taken.back", guard, Guard::takenBack)
                .description("Grants that came too late and were taken back")
                .register(registry);
        Gauge.builder("headgate.store.breakers.open", guard, Guard::openCircuits)
                .description("Parts of the store that are left alone because they kept failing")
                .register(registry);
        TimeGauge.builder(
                        "headgate.store.outage",
                        guard,
                        TimeUnit.MILLISECONDS,
                        seen -> seen.failingFor().toMillis())
                .description("For how long the store has been failing")
                .register(registry);
    }

    private static void bind(MemoryStore store, MeterRegistry registry) {
        Gauge.builder("headgate.keys", store, MemoryStore::keys)
                .description("Keys held in memory")
                .register(registry);
        FunctionCounter.builder("headgate.keys.overflow", store, MemoryStore::overflowDecisions)
                .description("Decisions on a shared budget because there was no room for the key")
                .register(registry);
    }
}
