package io.headgate.benchmarks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Adapts a library whose limiters have no keys in the way its users do: one limiter per key in a map. Calls {@code get} before
 * {@code computeIfAbsent}, which is faster.
 *
 * @param <L> the library's limiter
 */
final class PerKey<L> implements Limiter {

    private final ConcurrentHashMap<String, L> limiters = new ConcurrentHashMap<>();
    private final Supplier<L> create;
    private final Question<L> question;

    /** Asks one limiter for one permit. */
    interface Question<L> {

        boolean ask(L limiter, Blackhole hole);
    }

    PerKey(Supplier<L> create, Question<L> question) {
        this.create = create;
        this.question = question;
    }

    @Override
    public boolean ask(String key, Blackhole hole) {
        L limiter = limiters.get(key);
        if (limiter == null) {
            limiter = limiters.computeIfAbsent(key, missing -> create.get());
        }
        return question.ask(limiter, hole);
    }
}
