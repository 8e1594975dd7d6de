package io.headgate.spring;

import io.headgate.http.RuleSet;
import java.util.function.Supplier;

/** Supplies the rules in force. It is called for every request, so it must return at once. */
@FunctionalInterface
public interface RuleStore extends Supplier<RuleSet> {

    /** Registers a callback to run whenever other rules have come into force. A store whose rules never change ignores it. */
    default void onChange(Runnable changed) {}
}
