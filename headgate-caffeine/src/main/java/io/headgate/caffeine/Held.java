package io.headgate.caffeine;

import com.github.benmanes.caffeine.cache.Expiry;
import io.headgate.Judge;
import io.headgate.Key;

/** What the cache holds for a key: the state, and the plan it was written under. */
record Held(Judge judge, Object state) {

    /** The state, continued under the given plan. */
    Object under(Judge current, long nowMicros) {
        return judge == current ? state : current.carry(judge, state, nowMicros);
    }

    /** An entry expires when its budget is full again, since from then on nobody can see it go. Reading it changes nothing. */
    static final class UntilFull implements Expiry<Key, Held> {

        @Override
        public long expireAfterCreate(Key key, Held held, long nowNanos) {
            long nowMicros = nowNanos / 1_000;
            long micros = held.judge.fullAtMicros(held.state, nowMicros) - nowMicros;
            return Math.max(0, Math.min(micros, Long.MAX_VALUE / 1_000)) * 1_000;
        }

        @Override
        public long expireAfterUpdate(Key key, Held held, long nowNanos, long currentDuration) {
            return expireAfterCreate(key, held, nowNanos);
        }

        @Override
        public long expireAfterRead(Key key, Held held, long nowNanos, long currentDuration) {
            return currentDuration;
        }
    }
}
