package io.headgate.redis;

import io.headgate.Algorithm;
import io.headgate.Limit;
import io.headgate.engine.EngineAlgorithm;

/** A built-in algorithm under another id: to the store an algorithm of the user's. */
public record Renamed(EngineAlgorithm<Object> original) implements EngineAlgorithm<Object> {

    public static final String PREFIX = "my-";

    @SuppressWarnings("unchecked")
    public static Renamed of(Algorithm<?> original) {
        return new Renamed(EngineAlgorithm.of((Algorithm<Object>) original));
    }

    @Override
    public String id() {
        return PREFIX + original.id();
    }

    @Override
    public void check(Limit limit) {
        original.check(limit);
    }

    @Override
    public Object fresh(Limit limit, long nowMicros) {
        return original.fresh(limit, nowMicros);
    }

    @Override
    public long waitMicros(Object state, Limit limit, long cost, long nowMicros) {
        return original.waitMicros(state, limit, cost, nowMicros);
    }

    @Override
    public Object take(Object state, Limit limit, long cost, long nowMicros) {
        return original.take(state, limit, cost, nowMicros);
    }

    @Override
    public long remaining(Object state, Limit limit, long nowMicros) {
        return original.remaining(state, limit, nowMicros);
    }

    @Override
    public long fullAtMicros(Object state, Limit limit, long nowMicros) {
        return original.fullAtMicros(state, limit, nowMicros);
    }

    @Override
    public long forgettableAtMicros(Object state, Limit limit, long nowMicros) {
        return original.forgettableAtMicros(state, limit, nowMicros);
    }

    @Override
    public Object refund(Object state, Object charged, Limit limit, long cost, long nowMicros) {
        return original.refund(state, charged, limit, cost, nowMicros);
    }

    @Override
    public Object rebase(Object state, Limit limit, long nowMicros) {
        return original.rebase(state, limit, nowMicros);
    }

    @Override
    public boolean reserves(Object state, Limit limit, long cost) {
        return original.reserves(state, limit, cost);
    }

    @Override
    public long slotMicros(Object state, Limit limit, long cost, long nowMicros) {
        return original.slotMicros(state, limit, cost, nowMicros);
    }

    @Override
    public boolean sharesMemory() {
        return original.sharesMemory();
    }

    @Override
    public long[] encode(Object state) {
        return original.encode(state);
    }

    @Override
    public Object decode(long[] numbers) {
        return original.decode(numbers);
    }
}
