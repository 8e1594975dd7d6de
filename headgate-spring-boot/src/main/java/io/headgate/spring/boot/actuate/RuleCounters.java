package io.headgate.spring.boot.actuate;

import io.headgate.spring.AnnotatedLimits;
import io.headgate.spring.RuleStore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Registers the counters of every rule and annotation when it comes into force: at start-up, after a reload, and with a bean that is
 * created later.
 *
 * @param rules called once all beans exist; returns {@code null} if there is no such bean
 * @param annotations called once all beans exist; returns {@code null} if there is no such bean
 */
public record RuleCounters(
        DecisionMetrics metrics, Supplier<@Nullable RuleStore> rules, Supplier<@Nullable AnnotatedLimits> annotations)
        implements SmartInitializingSingleton {

    @Override
    public void afterSingletonsInstantiated() {
        RuleStore store = rules.get();
        if (store != null) {
            store.onChange(() -> expect(store));
            expect(store);
        }
        AnnotatedLimits annotated = annotations.get();
        if (annotated != null) {
            annotated.onNew(metrics::expect);
            annotated.all().forEach(each -> metrics.expect(each.rule()));
        }
    }

    private void expect(RuleStore store) {
        store.get().boundRules().forEach(metrics::expect);
    }
}
