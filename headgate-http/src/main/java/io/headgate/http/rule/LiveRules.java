package io.headgate.http.rule;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import io.headgate.http.InvalidRulesException;
import io.headgate.http.RuleSet;
import io.headgate.http.RuleSource;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/**
 * The rules in force. They are replaced as a whole or not at all: a set that is invalid or cannot be read is logged, and the last
 * good set stays in force.
 */
public final class LiveRules implements Supplier<RuleSet> {

    private static final System.Logger LOG = System.getLogger(LiveRules.class.getName());

    private final RuleSource source;
    private final RuleCompiler compiler;
    private final List<Runnable> changeListeners = new CopyOnWriteArrayList<>();
    private volatile RuleSet current;

    /**
     * Puts the rules of the source in force.
     *
     * @throws InvalidRulesException if they are invalid, since there is no last good set yet
     */
    public LiveRules(RuleSource source, RuleCompiler compiler) {
        this.source = Objects.requireNonNull(source, "source");
        this.compiler = Objects.requireNonNull(compiler, "compiler");
        synchronized (this) { // a reload that the source triggers meanwhile waits until there are rules to replace
            source.onChange(this::reload);
            this.current = compiler.compile(source.rules());
        }
    }

    @Override
    public RuleSet get() {
        return current;
    }

    /** Registers a callback to run whenever other rules have come into force. */
    public void onChange(Runnable changed) {
        changeListeners.add(changed);
    }

    /** Reads the rules again and returns whether they are in force now. Spent permits stay spent. */
    public boolean reload() {
        boolean replaced = replace();
        if (replaced) {
            changeListeners.forEach(Runnable::run);
        }
        return replaced;
    }

    private synchronized boolean replace() {
        try {
            RuleSet before = current;
            current = compiler.compile(source.rules());
            LOG.log(
                    INFO,
                    "new rules are in force; number of rules: {0}",
                    current.boundRules().size());
            current.warnings().forEach(warning -> LOG.log(WARNING, warning));
            MovedLimits.between(before, current).forEach(warning -> LOG.log(WARNING, warning));
            return true;
        } catch (InvalidRulesException e) {
            LOG.log(WARNING, "the last good rules stay in force: " + e.getMessage());
        } catch (RuntimeException e) {
            LOG.log(WARNING, "the last good rules stay in force: the new rules cannot be read", e);
        }
        return false;
    }
}
