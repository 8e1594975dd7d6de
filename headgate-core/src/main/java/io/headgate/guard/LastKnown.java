package io.headgate.guard;

import io.headgate.Decision;
import io.headgate.Key;
import io.headgate.TimeSource;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What the store last said of each key, as long as that is of use.
 *
 * <p>Bounded by two generations: when the young one is full it becomes the old one, and the old one is dropped. A key that is
 * forgotten costs no more than a head start of one share in the next outage.
 */
final class LastKnown {

    static final int GENERATION = 50_000;

    private final TimeSource time;
    private final int generation;
    private volatile ConcurrentHashMap<Key, Known> young = new ConcurrentHashMap<>();
    private volatile ConcurrentHashMap<Key, Known> old = new ConcurrentHashMap<>();

    private record Known(Decision decision, long atMicros) {

        /** Whether something of what was spent then may be spent still. */
        boolean holds(long nowMicros) {
            long age = nowMicros - atMicros;
            return age >= 0 && age < micros(decision);
        }
    }

    LastKnown(TimeSource time, int generation) {
        this.time = time;
        this.generation = generation;
    }

    @SuppressWarnings("ReferenceEquality") // the very generation that was filled
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
     * Forgets what is known of the key, and hands it over first if it still holds. Who asks for the same key meanwhile waits until
     * that is done: nobody goes ahead as if nothing were known.
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
