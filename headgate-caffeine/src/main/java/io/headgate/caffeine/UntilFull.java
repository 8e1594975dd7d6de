package io.headgate.caffeine;

import com.github.benmanes.caffeine.cache.Expiry;
import io.headgate.Key;
import io.headgate.engine.KeyState;

/** Expires an entry when its budget is full again: from then on no client can notice the removal. Reads do not extend it. */
final class UntilFull implements Expiry<Key, KeyState> {

    @Override
    public long expireAfterCreate(Key key, KeyState held, long nowNanos) {
        long nowMicros = nowNanos / 1_000;
        long micros = held.fullAtMicros(nowMicros) - nowMicros;
        return Math.max(0, Math.min(micros, Long.MAX_VALUE / 1_000)) * 1_000;
    }

    @Override
    public long expireAfterUpdate(Key key, KeyState held, long nowNanos, long currentDuration) {
        return expireAfterCreate(key, held, nowNanos);
    }

    @Override
    public long expireAfterRead(Key key, KeyState held, long nowNanos, long currentDuration) {
        return currentDuration;
    }
}
