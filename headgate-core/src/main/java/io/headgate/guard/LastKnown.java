package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The last answer of the store for each key, as long as it is of use.
 *
 * <p>Bounded by two generations: when the young one is full it becomes the old one, and the old one is dropped. A key that was
 * forgotten can spend at most one extra share in the next outage.
 */
final class LastKnown {

    static final int GENERATION = 50_000;

    private final TimeSource time;
    private final int generation;
    private volatile ConcurrentHashMap<Key, Known> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<Key, Known> old = new ConcurrentHashMap<>();

    private record Known(Decision decision, long atMicros) {

        /** Whether part of what was spent at that time may still be spent now. */
        boolean holds(long nowMicros) {
            long age = nowMicros - atMicros;
            return age >= 0 && age < micros(decision);
        }
    }

    LastKnown(TimeSource time, int generation) {
        this.time = time;
        this.generation = generation;
    }

    @SuppressWarnings("ReferenceEquality") // the identical generation that was filled
    void remember(Key key, Decision decision) {
        if (micros(decision) == 0) {
            forget(key); // nothing is spent
            return;
        }
        ConcurrentHashMap<Key, Known> current = young;
        current.put(key, new Known(decision, time.nowMicros()));
        if (current.mappingCount() >= generation) {
            synchronized (this) {
                if (current == young) {
                    old = current;
                    young = new ConcurrentHashMap<>();
                }
            }
        }
    }

    /**
     * Forgets the answer for the key, after passing it to {@code known} if it still holds. Concurrent callers for the same key wait
     * until that is done: none continues as if no answer were known.
     */
    void use(Key key, Consumer<Decision> known) {
        if (young.containsKey(key)) {
            young.computeIfPresent(key, (same, latest) -> {
                old.remove(same);
                return handOver(latest, known);
            });
        }
        if (old.containsKey(key)) {
            old.computeIfPresent(key, (same, latest) -> handOver(latest, known));
        }
    }

    private @Nullable Known handOver(Known latest, Consumer<Decision> known) {
        if (latest.holds(time.nowMicros())) {
            known.accept(latest.decision);
        }
        return null;
    }

    void forget(Key key) {
        young.remove(key);
        old.remove(key);
    }

    int size() {
        return young.size() + old.size();
    }

    private static long micros(Decision decision) {
        return TimeUnit.MICROSECONDS.convert(decision.resetAfter());
    }
}
