package io.headgate.spring.method;

import io.headgate.http.BoundRule;
import io.headgate.http.RuleSet;
import io.headgate.spring.RuleStore;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The bound rule of an annotation, or of whatever else refers to rules, under the current rules. If the rules change so that it
 * cannot use them, the last bound rule stays and a warning is logged.
 */
public final class LiveRule implements Supplier<@Nullable BoundRule> {

    private static final Log LOG = LogFactory.getLog("io.headgate");

    private final String place;
    private final RuleStore rules;
    private final Function<RuleSet, @Nullable BoundRule> reading;
    private volatile Seen seen;

    private record Seen(RuleSet rules, @Nullable BoundRule rule) {}

    /**
     * Reads it under the rules in force.
     *
     * @param place what refers to the rules, for messages
     * @param reading returns the bound rule under given rules; {@code null} if nothing is limited
     * @throws IllegalArgumentException if {@code reading} throws it
     */
    public LiveRule(String place, RuleStore rules, Function<RuleSet, @Nullable BoundRule> reading) {
        this.place = place;
        this.rules = rules;
        this.reading = reading;
        RuleSet now = rules.get();
        this.seen = new Seen(now, reading.apply(now));
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same snapshot as last time
    public @Nullable BoundRule get() {
        Seen last = seen;
        RuleSet now = rules.get();
        return now == last.rules ? last.rule : readAgain(now);
    }

    @SuppressWarnings("ReferenceEquality")
    private synchronized @Nullable BoundRule readAgain(RuleSet now) {
        if (now != seen.rules) {
            seen = new Seen(now, read(now));
        }
        return seen.rule;
    }

    private @Nullable BoundRule read(RuleSet now) {
        try {
            return reading.apply(now);
        } catch (IllegalArgumentException e) {
            LOG.warn(place + " cannot use the changed rules and stays as it was: " + e.getMessage());
            return seen.rule;
        }
    }
}
