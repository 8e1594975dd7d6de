package io.headgate.guide;

import io.headgate.http.Rule;
import io.headgate.http.RuleSource;
import java.util.List;
import java.util.function.Supplier;

// snippet
/** Rules from a service that is polled. */
final class ServiceRules implements RuleSource {

    private final Supplier<List<Rule>> service;
    private volatile List<Rule> known;
    private volatile Runnable changed = () -> {};

    ServiceRules(Supplier<List<Rule>> service) {
        this.service = service;
        this.known = service.get();
    }

    @Override
    public List<Rule> rules() {
        return known;
    }

    @Override
    public void onChange(Runnable changed) {
        this.changed = changed;
    }

    /** Call this from a scheduler. */
    void poll() {
        List<Rule> now = service.get();
        if (!now.equals(known)) {
            known = now;
            changed.run();
        }
    }
}
// end
