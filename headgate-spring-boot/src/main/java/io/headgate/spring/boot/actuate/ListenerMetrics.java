package io.headgate.spring.boot.actuate;

import io.headgate.http.Listeners;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Counts the exceptions that the application's decision listeners throw, and the events that they miss because they are too slow.
 *
 * @param listeners called when the meters are bound, since the listeners include {@link DecisionMetrics}, which needs a registry
 */
public record ListenerMetrics(Supplier<@Nullable Listeners> listeners) implements MeterBinder {

    @Override
    public void bindTo(MeterRegistry registry) {
        Listeners told = listeners.get();
        if (told == null) {
            return;
        }
        FunctionCounter.builder("headgate.listeners.failures", told, Listeners::failures)
                .description("Times that a listener has thrown something")
                .register(registry);
        FunctionCounter.builder("headgate.listeners.missed", told, Listeners::missed)
                .description("Times that a listener was not told because it was too far behind")
                .register(registry);
    }
}
