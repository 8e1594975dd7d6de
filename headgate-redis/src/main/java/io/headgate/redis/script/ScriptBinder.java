package io.headgate.redis.script;

import io.headgate.Algorithms;
import io.headgate.Plan;
import java.time.Duration;
import java.util.function.LongSupplier;

/** What the scripts of a store have in common; binds each plan to its script. */
public final class ScriptBinder {

    final ScriptRunner redis;
    final Names names;
    final Duration timeout;
    final Script states;

    private final Algorithms algorithms;
    private final Scripts scripts;
    private final LongSupplier wallMicros;

    /** How far the clock of Redis was ahead of the local clock when a calendar window in a call was last the wrong one. */
    private volatile long skewMicros;

    /**
     * A binder for the built-in algorithms and those of the user.
     *
     * @param timeout after which nothing is repeated any more
     * @param wallMicros approximately the time of Redis: determines which calendar windows are sent
     */
    public ScriptBinder(
            ScriptRunner redis, Names names, Algorithms algorithms, Duration timeout, LongSupplier wallMicros) {
        this(redis, names, algorithms, timeout, wallMicros, new Scripts());
    }

    ScriptBinder(
            ScriptRunner redis,
            Names names,
            Algorithms algorithms,
            Duration timeout,
            LongSupplier wallMicros,
            Scripts scripts) {
        this.redis = redis;
        this.names = names;
        this.timeout = timeout;
        this.states = scripts.states();
        this.algorithms = algorithms;
        this.scripts = scripts;
        this.wallMicros = wallMicros;
    }

    /**
     * The script of a plan.
     *
     * @throws IllegalArgumentException if an algorithm is unknown or rejects its limit
     */
    public BoundScript bind(Plan plan) {
        return new BoundScript(this, plan, new Program(plan, algorithms, scripts));
    }

    long nowMicros() {
        return wallMicros.getAsLong() + skewMicros;
    }

    void redisTimeIs(long micros) {
        skewMicros = micros - wallMicros.getAsLong();
    }
}
